import { describe, expect, it } from 'vitest';
import { readAddress, takePersonal } from './address.ts';

it.each([
  ['/s/lunch', { kind: 'link', slug: 'lunch' }],
  ['/s/lunch%C2%BB', { kind: 'link', slug: 'lunch»' }],
  ['/s/lunch%', { kind: 'link', slug: 'lunch%' }],
  ['/s/lunch/', { kind: 'link', slug: 'lunch' }],
  ['/s/surveys', { kind: 'link', slug: 'surveys' }],
  ['/s/surveys/01a2', { kind: 'survey', surveyId: '01a2' }],
  ['/s/', undefined],
  ['/s/lunch/more', undefined],
  ['/console/s/lunch', undefined],
])('the path %s leads to %o', (path, address) => {
  expect(readAddress(path)).toEqual(address);
});

/** Reads an address like the page. Returns what was read, and the address that is shown afterwards. */
function take(path: string) {
  const url = new URL(path, 'https://surveys.example.com');
  let shown = url.href;
  const history = {
    replaceState: (_state: unknown, _title: string, address: string) => {
      shown = address;
    },
  };
  // `takePersonal` reads nothing else.
  const personal = takePersonal({ location: url, history } as unknown as Window);
  return [personal, shown.slice(url.origin.length)];
}

describe('the personal part of an address', () => {
  it.each([
    ['/s/a#token=abc', 'abc', '/s/a'],
    ['/s/a?lang=de#other&token=a%2Bb', 'a+b', '/s/a?lang=de'],
  ])('of %s is a token, and it is removed', (path, token, shown) => {
    expect(take(path)).toEqual([{ token, metadata: {}, prefill: [] }, shown]);
  });

  it('is metadata and answers too, and all of it is removed', () => {
    expect(take('/s/a?lang=de&m.source=mail&a.dish=Rice#token=abc&m.source=app&a.%64ish=Soup')).toEqual([
      { token: 'abc', metadata: { source: 'app' }, prefill: [['dish', 'Soup']] },
      '/s/a?lang=de',
    ]);
    expect(take('/s/a?m.source=mail#other')).toEqual([
      { token: undefined, metadata: { source: 'mail' }, prefill: [] },
      '/s/a#other',
    ]);
  });

  it('can be too long: then it is removed nevertheless', () => {
    expect(take(`/s/a#a.dish=${'x'.repeat(70_000)}`)).toEqual([
      { token: undefined, metadata: {}, prefill: [] },
      '/s/a',
    ]);
  });

  it.each(['/s/a', '/s/a?lang=de', '/s/a?token=abc#other', '/s/a?am.x=1&ma=2#m&a'])('is not in %s', (path) => {
    expect(take(path)).toEqual([undefined, path]);
  });
});
