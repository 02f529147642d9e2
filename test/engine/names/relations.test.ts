import { describe, expect, test } from 'vitest';
import { likelyOwnerColumnOf, namesOwner, ownerColumnOf } from '../../../server/engine/names/relations.ts';

describe('the owner of a row', () => {
  test.each([
    [['id', 'user_id', 'owner_id'], 'owner_id'],
    [['id', 'created_by', 'user_id'], 'user_id'],
    [['id', 'accountId', 'author_id'], 'author_id'],
    [['id', 'ownerId'], 'ownerId'],
    [['id', 'OwnedBy'], 'OwnedBy'],
    [['id', 'profile_id'], 'profile_id'],
    [['id', 'member_id'], 'member_id'],
  ])('%j: %s', (columns, owner) => {
    expect(ownerColumnOf({ name: 'notes', columns })).toBe(owner);
    expect(likelyOwnerColumnOf({ name: 'notes', columns })).toBe(owner);
  });

  test.each(['assignee_id', 'approved_by_user_id', 'creatorUid'])(
    'may be in %s, but is not certain to be',
    (column) => {
      const table = { name: 'notes', columns: ['id', column] };
      expect(ownerColumnOf(table)).toBeUndefined();
      expect(likelyOwnerColumnOf(table)).toBe(column);
    },
  );

  test.each(['id', 'name', 'owners', 'user_agent'])('is not in %s', (column) => {
    expect(likelyOwnerColumnOf({ name: 'notes', columns: [column] })).toBeUndefined();
  });

  test.each([
    ['owner_id', true],
    ['ownerId', true],
    ['ownedBy', true],
    ['owner', true],
    ['user_id', false],
    ['author_id', false],
  ])('%s restricts which users may see the row: %s', (column, answer) => {
    expect(namesOwner(column)).toBe(answer);
  });
});
