import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../limits.ts';
import { createPatternCompiler } from './pattern.ts';
import { patternSize } from './pattern-size.ts';

function faultOf(pattern: string, maxLength = 1) {
  const compiled = createPatternCompiler()(pattern, maxLength);
  return typeof compiled === 'function' ? undefined : compiled.fault;
}

describe('patternSize', () => {
  it.each([
    '^[A-Z]{2}[0-9]{4}$',
    '(a{100}b){9}',
    '((a|b){30}c?){30}',
    '(a{0,1000})'.repeat(5),
    '(\\Q(((\\E){50}',
    '\\x{41}{100}',
    '[[:alpha:]]{100}',
    '[]a]{100}',
    '[^]a(]{100}(b){20}',
    '(?P<name>a){100}',
    '[\\pL\\pN]{100}',
    '(?:a|b|c){1,50}?',
  ])('estimates at least a third of the real size of %s', (pattern) => {
    expect(patternSize(pattern)).toBeGreaterThanOrEqual(RE2JS.compile(pattern).programSize() / 3);
  });

  it.each(['^[A-Z]{2}[0-9]{4}$', '^[^@]+@[^@]+\\.[a-z]{2,8}$', '(?i)refund|cancel|broken', "^[\\p{L}' -]{1,100}$"])(
    'allows many patterns like %s',
    (pattern) => expect(patternSize(pattern)).toBeLessThan(LIMITS.patternSize / 50),
  );

  it.each(['[', '(', '\\Q', '\\p{', '{', 'a{9', '[a[:', '(?i', ')'])('handles thousands of %s', (part) => {
    expect(patternSize(part.repeat(3_000))).toBeGreaterThanOrEqual(3_000);
  });
});

describe('the patterns of a survey', () => {
  it.each([
    ['is long', 'a?'.repeat(450_000)],
    ['repeats far too much', 'a{1000}'.repeat(142)],
    ['repeats within repetition', '((a{9}){9}){9}'.repeat(14)],
    ['names many Unicode classes', '(?i)'.concat('[\\pL]'.repeat(800))],
    ['ignores case in wide ranges', '(?i)'.concat('[\\x{100}-\\x{1e900}]'.repeat(20))],
  ])('are rejected without compiling when one %s', (_, pattern) => {
    expect(faultOf(pattern)).toBe('the patterns of the survey are too large to compile');
  });

  it('are rejected when they are too large together, but repeated patterns are free', () => {
    const compile = createPatternCompiler();
    const patterns = Array.from({ length: 20 }, (_, index) => `${index}a{999}`);
    const taken = patterns.filter((pattern) => typeof compile(pattern, 1) === 'function');
    expect(taken).toHaveLength(10);
    expect(taken.every((pattern) => typeof compile(pattern, 1) === 'function')).toBe(true);
  });

  it('are rejected when their texts are too long', () => {
    expect(faultOf('a[ab]{450}[cd]', 1_000)).toBeUndefined();
    expect(faultOf('a[ab]{450}[cd]', 20_000)).toContain('lower max_length');
  });

  it.each([
    ['(', 'error parsing regexp'],
    ['[z-a]', 'error parsing regexp'],
    ['a{2,1}', 'error parsing regexp'],
    ['*', 'error parsing regexp'],
    ['^(?=.*[a-z]).{8,}$', 'no look-ahead and look-behind'],
    ['(?<!a)b', 'no look-ahead and look-behind'],
    ['(a)\\1', 'no back-references'],
    ['(?>a)b', 'no atomic groups'],
    ['caf\\u00e9', '\\x{e9}'],
  ])('are rejected for the syntax of %s: %s', (pattern, detail) => {
    expect(faultOf(pattern)).toContain(detail);
  });

  it.each(['[(?=a)]', '\\(?=a', '\\Q(?=a)\\1\\E', '\\\\1'])('can have %s, which only looks unsupported', (pattern) => {
    expect(faultOf(pattern)).toBeUndefined();
  });
});
