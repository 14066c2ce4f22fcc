const MAX_BYTES = 200;
const LONGEST_ENDING = 20;

/** Controls, marks that turn the direction of text around so that `exe.pdf` may be `fdp.exe`, halves of characters. */
const UNFIT = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** The name of a file without what belongs to a path or only misleads; undefined when nothing is left of it. */
export function cleanFilename(given: string): string | undefined {
  const last = given.split(/[/\\]/).at(-1) ?? '';
  const name = last.normalize('NFC').replace(UNFIT, '').trim();
  return /^\.*$/.test(name) ? undefined : shorten(name);
}

/** The ending of a name in lower case, without its dot; undefined when it has none. */
export function endingOf(name: string | undefined): string | undefined {
  const dot = name?.lastIndexOf('.') ?? -1;
  return name === undefined || dot < 1 || dot === name.length - 1 ? undefined : name.slice(dot + 1).toLowerCase();
}

/** What is too long loses the end of what stands before its ending. */
function shorten(name: string): string {
  if (Buffer.byteLength(name) <= MAX_BYTES) return name;
  const ending = endingOf(name) ?? '';
  const rest = ending.length > 0 && ending.length <= LONGEST_ENDING ? name.slice(-ending.length - 1) : '';
  const characters = [...name.slice(0, name.length - rest.length)];
  while (Buffer.byteLength(characters.join('') + rest) > MAX_BYTES) characters.pop();
  return characters.join('') + rest;
}
