/** A string, or a character that opens, closes or parts the members of JSON. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/** The object that bytes hold as JSON in UTF-8; `duplicate` when any object in it has two members of one name. */
export function parseJsonObject(bytes: Uint8Array): Readonly<Record<string, unknown>> | 'malformed' | 'duplicate' {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'malformed';
    // Checked just above.
    return hasDuplicateMember(text) ? 'duplicate' : (value as Record<string, unknown>);
  } catch {
    return 'malformed';
  }
}

/** `text` has been parsed, so only its structure is looked at. RFC 8725bis: parsers disagree about which one counts. */
function hasDuplicateMember(text: string): boolean {
  const open: (Set<string> | undefined)[] = [];
  let last = '';
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(undefined);
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':') {
      // A colon follows a name, in an object. Names are compared as they read: "a" is also "\u0061".
      const name = String(JSON.parse(last));
      const names = open.at(-1);
      if (names?.has(name)) return true;
      names?.add(name);
    }
    last = token;
  }
  return false;
}
