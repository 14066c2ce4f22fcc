import { describe, expect, it } from 'vitest';
import { notesOf, readReleases } from './changelog.ts';

const changelog = `# Changelog

## Unreleased

- Not yet.

## 1.1.0 - 2026-02-01

### Added

- A second thing.

## 1.0.0 - 2026-01-01

- A first thing.
`;

describe('a changelog', () => {
  it('has the notes of each release', () => {
    expect(readReleases(changelog).map(({ version }) => version)).toEqual(['1.1.0', '1.0.0']);
    expect(notesOf(changelog, '1.1.0')).toBe('### Added\n\n- A second thing.');
    expect(notesOf(changelog, '1.0.0')).toBe('- A first thing.');
  });

  it.each(['1.2.0', 'Unreleased'])('without notes for %s is rejected', (version) => {
    expect(() => notesOf(changelog, version)).toThrow(`no notes for ${version}`);
  });
});
