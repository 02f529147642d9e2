import { describe, expect, test } from 'vitest';
import { openScram, verifierOf } from '../../../../server/service/replication/embedded/database/scram.ts';

/** The example of RFC 7677, section 3. */
const rfc = {
  nonce: '%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0',
  first: 'n,,n=user,r=rOprNGfwEbeRWgbNEkqO',
  challenge: 'r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096',
  final:
    'c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=',
  conclusion: 'v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=',
};
const salt = Buffer.from('W22ZaJ0SNY7soEsUEjb6gQ==', 'base64');
const open = (password = 'pencil') => openScram(verifierOf(password, salt), rfc.nonce);

describe('SCRAM-SHA-256', () => {
  test('goes as the example of its specification', () => {
    const scram = open();
    expect(scram.challenge(rfc.first)).toBe(rfc.challenge);
    expect(scram.conclude(rfc.final)).toBe(rfc.conclusion);
  });

  test('lets nobody in with another password', () => {
    const scram = open('pencils');
    scram.challenge(rfc.first);
    expect(scram.conclude(rfc.final)).toBeUndefined();
  });

  test('lets nobody in who begins at the end', () => {
    expect(open().conclude(rfc.final)).toBeUndefined();
  });

  test.each([
    '',
    'n,,',
    'n,,n=user,r=',
    'n,,r=rOprNGfwEbeRWgbNEkqO',
    'p=tls-server-end-point,,n=user,r=rOprNGfwEbeRWgbNEkqO',
    'n,,m=x,n=user,r=rOprNGfwEbeRWgbNEkqO',
  ])('is not begun by %j', (first) => {
    expect(open().challenge(first)).toBeUndefined();
  });

  test.each([
    '',
    rfc.final.replace('c=biws', 'c=eSws'),
    rfc.final.replace('c=biws', 'c='),
    rfc.final.replace('r=rOp', 'r=xOp'),
    rfc.final.replace(/p=.*/, 'p='),
    rfc.final.replace(/p=.*/, 'p=AAAA'),
    rfc.final.replace('p=d', 'p=e'),
    rfc.final.replace(',p=', ',x=1,p='),
  ])('is not concluded by %j', (final) => {
    const scram = open();
    scram.challenge(rfc.first);
    expect(scram.conclude(final)).toBeUndefined();
  });
});
