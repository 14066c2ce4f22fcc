const MAX_BYTES = 200;
const MAX_EXTENSION_LENGTH = 20;

/** Control characters, bidirectional marks (which can make `fdp.exe` look like `exe.pdf`), and lone surrogates. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Removes the path and unsafe characters from a filename. Returns undefined if nothing is left. */
export function cleanFilename(path: string): string | undefined {
  const last = path.split(/[/\\]/).at(-1) ?? '';
  const name = last.normalize('NFC').replace(UNSAFE, '').trim();
  return /^\.*$/.test(name) ? undefined : shorten(name);
}

/** Returns the extension in lower case without its dot; undefined if there is none. */
export function extensionOf(name: string | undefined): string | undefined {
  const dot = name?.lastIndexOf('.') ?? -1;
  return name === undefined || dot < 1 || dot === name.length - 1 ? undefined : name.slice(dot + 1).toLowerCase();
}

function shorten(name: string): string {
  if (Buffer.byteLength(name) <= MAX_BYTES) return name;
  const extension = extensionOf(name) ?? '';
  const suffix =
    extension.length > 0 && extension.length <= MAX_EXTENSION_LENGTH ? name.slice(-extension.length - 1) : '';
  const characters = [...name.slice(0, name.length - suffix.length)];
  while (Buffer.byteLength(characters.join('') + suffix) > MAX_BYTES) characters.pop();
  return characters.join('') + suffix;
}
