import { type CompilePattern, limitPatterns, type PatternProgram } from './limit-patterns.ts';
import { explainUnsupported } from './pattern-size.ts';

const ESCAPE = String.raw`\\[pP](?:\{\^?\w+\}|[A-Z])|\\x\{[0-9A-Fa-f]{1,6}\}|\\.`;
const POSIX_CLASS = String.raw`\[:\^?[a-z]{1,10}:\]`;
const CLASS = String.raw`\[\^?\]?(?:${POSIX_CLASS}|\\.|[^\]\\])*\]`;
/** A quoted text, an escape, a class, the start of a named group, a counted repetition, or any other character. */
const TOKEN = new RegExp(String.raw`\\Q.*?(?:\\E|$)|${ESCAPE}|${CLASS}|\(\?P<|\{\d+(?:,\d*)?\}|.`, 'gsu');
const CLASS_TOKEN = new RegExp(`${ESCAPE}|${POSIX_CLASS}|.`, 'gsu');
const LEADING_FLAGS = /^\(\?([ims]+)\)/;
const SYNTAX = /[\^$\\.*+?()[\]{}|/]/g;
const SPACES = String.raw`\t\n\f\r `;

const POSIX: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  blank: String.raw`\t `,
  digit: '0-9',
  lower: 'a-z',
  punct: String.raw`!-\/:-@\[-\`\{-~`,
  space: String.raw`\t\n\v\f\r `,
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};

/**
 * Creates a compiler for the patterns of one survey, for browsers. It uses `RegExp`, because RE2 takes 40 kB. A pattern
 * that `RegExp` cannot express accepts every text. The server checks answers again, and the lint warns of conditions
 * with such a pattern.
 */
export function createBrowserPatternCompiler(): CompilePattern {
  return limitPatterns(compileRegExp);
}

/** Whether `RegExp` can express a valid pattern. */
export function isBrowserPattern(pattern: string): boolean {
  return toRegExp(pattern) !== undefined;
}

function compileRegExp(pattern: string): PatternProgram | { readonly fault: string } {
  const fault = explainUnsupported(pattern);
  if (fault !== undefined) return { fault };
  const expression = toRegExp(pattern);
  // The size 0 turns off the limit of steps: the server has already limited the patterns of a published survey.
  return { test: (text) => expression?.test(text) ?? true, programSize: () => 0 };
}

/** Translates a pattern in RE2 syntax. Returns undefined if this is not possible. */
function toRegExp(pattern: string): RegExp | undefined {
  const [prefix = '', flags = ''] = LEADING_FLAGS.exec(pattern) ?? [];
  const parts = Array.from(pattern.slice(prefix.length).matchAll(TOKEN), ([token]) => translate(token, flags));
  if (parts.includes(undefined)) return undefined;
  try {
    return new RegExp(parts.join(''), `${flags}u`);
  } catch {
    return undefined;
  }
}

function translate(token: string, flags: string): string | undefined {
  if (token.startsWith(String.raw`\Q`)) return token.slice(2).replace(/\\E$/, '').replace(SYNTAX, String.raw`\$&`);
  if (token === String.raw`\-`) return '-';
  if (token.startsWith('\\')) return translateEscape(token) ?? `[${spacesOf(token)}]`;
  if (token.startsWith('[') && token.length > 1) return translateClass(token);
  if (token === '(?P<') return '(?<';
  if (token === '.' && !flags.includes('s')) return String.raw`[^\n]`;
  return token === '{' || token === '}' || token === ']' ? `\\${token}` : token;
}

function translateClass(token: string): string | undefined {
  const [, start = '', content = ''] = /^(\[\^?)(.*)\]$/s.exec(token) ?? [];
  const parts = Array.from(content.matchAll(CLASS_TOKEN), ([part]) => {
    if (part.startsWith('[:')) return POSIX[part.slice(2, -2)];
    if (!part.startsWith('\\')) return /[[\]{}()/|]/.test(part) ? `\\${part}` : part;
    return part === String.raw`\S` ? undefined : (translateEscape(part) ?? spacesOf(part));
  });
  return parts.includes(undefined) ? undefined : `${start}${parts.join('')}]`;
}

/** Returns undefined for `\s` and `\S`, whose translation depends on where they are. */
function translateEscape(token: string): string | undefined {
  const [, kind = '', name = ''] = /^\\([pP])\{?(\w+)\}?$/.exec(token) ?? [];
  // A general category has one or two letters.
  if (kind !== '') return `\\${kind}{${name.length > 2 ? `Script=${name}` : name}}`;
  if (token.startsWith(String.raw`\x{`)) return token.replace('x', 'u');
  const character = token.slice(1);
  switch (character) {
    case 's':
    case 'S':
      return undefined;
    case 'A':
      return String.raw`(?<![\s\S])`;
    case 'z':
      return String.raw`(?![\s\S])`;
    case 'a':
      return String.raw`\x07`;
    default:
      return /[A-Za-z0-9-]/.test(character) || character.match(SYNTAX) ? token : character;
  }
}

function spacesOf(token: string): string {
  return token === String.raw`\S` ? `^${SPACES}` : SPACES;
}
