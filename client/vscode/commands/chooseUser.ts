/**
 * Asks for a user: one whose client is connected, one of the users that the service lists, or any text that is typed. A service that
 * does not know its users is asked for nothing else.
 */
import { l10n, type QuickPick, type QuickPickItem, QuickPickItemKind, ThemeIcon, window } from 'vscode';
import { readOfferedStreams, streamsPath } from '../../api/explained.ts';
import { unlessFailed } from '../../api/failure.ts';
import { fieldValue } from '../../api/fieldText.ts';
import {
  type KnownUsers,
  mayFindMore,
  noUsers,
  offerUsers,
  openUserSearch,
  titleOf,
  type UserOffer,
  userDetailsOf,
  usersPath,
} from '../../api/users.ts';
import { type ReadResult, read, type Who, wrong } from '../../preview/who.ts';
import type { ClientClaims } from '../../project/clientToken.ts';
import type { Services } from '../services.ts';
import type { Target } from '../targets/target.ts';

interface UserQuestion {
  readonly title: string;
  readonly placeholder: string;
  /** The service whose users are listed. Undefined, or without an address: only typing is possible. */
  readonly target: Target | undefined;
  /** Reads a typed text. */
  readonly readText: (text: string) => ReadResult<Who>;
  /** Answers other than a user. */
  readonly others?: readonly QuickPickItem[];
}

type UserAnswer =
  | { readonly kind: 'who'; readonly who: Who }
  | { readonly kind: 'other'; readonly item: QuickPickItem };

/** Returns undefined if the user closes the list. */
export async function chooseUser(
  services: Services,
  question: UserQuestion,
): Promise<UserAnswer | undefined> {
  const connected = connectedUsersOf(services, question.target);
  const box = window.createQuickPick<UserItem>();
  box.title = question.title;
  box.placeholder = question.placeholder;
  box.ignoreFocusOut = true;
  let known = noUsers;
  const show = (): void => {
    const [active] = box.activeItems;
    box.items = itemsFor({ known, connected, typed: box.value }, question);
    keepActive(box, active);
    box.busy = mayFindMore(known, box.value);
  };
  const controller = new AbortController();
  const ask = await openAsking(services, question.target, controller.signal);
  const { search } = openUserSearch(ask, (found) => {
    known = found;
    if (!controller.signal.aborted) show();
  });
  search('');
  return new Promise((resolve) => {
    box.onDidChangeValue((typed) => {
      // The first match is what Enter chooses, not the user that was active before the text changed.
      box.activeItems = [];
      search(typed);
      show();
    });
    box.onDidAccept(() => {
      const [active = box.items.find(({ kind }) => kind !== QuickPickItemKind.Separator)] = box.activeItems;
      const answer = box.value.trim() === '' ? box.activeItems[0]?.answer : active?.answer;
      if (answer === undefined) return;
      resolve(answer);
      box.hide();
    });
    box.onDidHide(() => {
      controller.abort();
      resolve(undefined);
      box.dispose();
    });
    show();
    box.show();
  });
}

/** Returns the function that asks the service for users. It fails without a service, and if connecting needs an answer of the user. */
async function openAsking(services: Services, target: Target | undefined, signal: AbortSignal) {
  const api = target?.url === undefined ? undefined : await unlessFailed(services.connect(target, 'quiet'));
  return async (body: object): Promise<unknown> => {
    if (api === undefined) throw new Error(l10n.t('The service cannot be asked.'));
    return (await api.ask('POST', usersPath, body, signal)).value;
  };
}

function connectedUsersOf({ health, targets }: Services, target: Target | undefined): readonly string[] {
  const now = health.health();
  const isSelected = target !== undefined && targets.selected()?.id === target.id;
  const clients = (isSelected && 'diagnosis' in now && now.diagnosis.clients) || [];
  return clients.map(({ user }) => user);
}

interface UserItem extends QuickPickItem {
  /** Absent for a text that cannot be used, and for a heading. */
  readonly answer?: UserAnswer;
}

interface ListedUsers {
  readonly known: KnownUsers;
  readonly connected: readonly string[];
  readonly typed: string;
}

/** Returns the items. All of them are always shown, because the service and this function filter them. */
function itemsFor(found: ListedUsers, { readText, others = [] }: UserQuestion): readonly UserItem[] {
  const { known, typed } = found;
  const text = typed.trim();
  const offers = offerUsers(found);
  const isBlank = text === '';
  const heading = (label: string): UserItem[] =>
    isBlank ? [{ label, kind: QuickPickItemKind.Separator }] : [];
  const [connected, listed] = [true, false].map((isConnected) =>
    offers.filter((user) => user.isConnected === isConnected).map(itemOf),
  );
  const isExact = offers.some(({ id }) => id === text);
  return [
    ...(connected?.length ? [...heading(l10n.t('Connected')), ...connected] : []),
    ...(listed?.length ? [...heading(l10n.t('From the table {0}', known.table ?? '')), ...listed] : []),
    ...(isBlank && known.why !== undefined ? [noUsersItem(known.why)] : []),
    ...(isBlank || isExact ? [] : [typedItem(text, readText)]),
    ...(others.length > 0 ? heading('') : []),
    ...others
      .filter(({ label }) => label.toLowerCase().includes(text.toLowerCase()))
      .map((item): UserItem => ({ ...item, alwaysShow: true, answer: { kind: 'other', item } })),
  ];
}

function itemOf(user: UserOffer): UserItem {
  return {
    label: titleOf(user),
    description: [...userDetailsOf(user), ...(user.isConnected ? [l10n.t('connected')] : [])].join(' · '),
    iconPath: new ThemeIcon('account'),
    alwaysShow: true,
    answer: { kind: 'who', who: { kind: 'claims', claims: { sub: user.id } } },
  };
}

function noUsersItem(why: string): UserItem {
  return { label: `$(info) ${l10n.t('No users are listed. {0}', why)}`, alwaysShow: true };
}

function typedItem(text: string, readText: UserQuestion['readText']): UserItem {
  const typed = readText(text);
  if (typed.kind === 'wrong') return { label: `$(error) ${typed.why}`, alwaysShow: true };
  return {
    label: l10n.t('Use {0}', text),
    iconPath: new ThemeIcon('edit'),
    alwaysShow: true,
    answer: { kind: 'who', who: typed.value },
  };
}

/** Keeps the chosen item when users arrive from the service. */
function keepActive(box: QuickPick<UserItem>, active: UserItem | undefined): void {
  const isSame = (item: UserItem): boolean =>
    item.label === active?.label && item.description === active.description;
  const kept = box.items.find(isSame) ?? box.items.find(({ answer }) => answer !== undefined);
  if (kept !== undefined) box.activeItems = [kept];
}

/** Reads the id of a user for which any text is possible. */
export function readId(text: string): ReadResult<Who> {
  const sub = text.trim();
  return sub === '' ? wrong(l10n.t('A user has a name.')) : read({ kind: 'claims', claims: { sub } });
}

/**
 * Asks for each claim that the deployed config reads. Returns the claims unchanged if some of them are known already, or if the
 * service does not report which ones it reads; undefined if the user gives up.
 */
export async function askClaims(
  services: Services,
  target: Target | undefined,
  claims: ClientClaims,
): Promise<ClientClaims | undefined> {
  if (target?.url === undefined || Object.keys(claims).length > 1) return claims;
  const api = await unlessFailed(services.connect(target, 'quiet'));
  const answer = api && (await unlessFailed(api.ask('POST', streamsPath, {})));
  const names = answer === undefined ? [] : readOfferedStreams(answer.value).claims;
  const found: Record<string, unknown> = {};
  for (const name of names.filter((each) => each !== 'sub')) {
    const text = await window.showInputBox({
      title: l10n.t('Claim {0}', name),
      prompt: l10n.t(
        'The config reads this claim. Numbers, lists, true and false are as in JSON. Leave the field empty for a token without it.',
      ),
      ignoreFocusOut: true,
    });
    if (text === undefined) return undefined;
    if (text.trim() !== '') found[name] = fieldValue(text);
  }
  return { ...found, ...claims };
}
