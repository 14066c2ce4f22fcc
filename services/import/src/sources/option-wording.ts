/** What cells of choices say: the code of the option, what it is called, or either, where the file does not tell. */
export type Wording = 'codes' | 'texts' | 'either';

/** An option by what files may call it. */
interface WordedOption {
  readonly id: string;
  readonly code: string;
  readonly texts: readonly string[];
}

/** What a cell says: an option, nothing of the kind, or one of two that nobody can tell apart. */
type Found =
  | { readonly kind: 'option'; readonly id: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'ambiguous'; readonly ids: readonly string[] };

/** In place of an answer that could be any of these options. */
export class Ambiguous {
  readonly ids: readonly string[];

  constructor(ids: readonly string[]) {
    this.ids = ids;
  }
}

/** Finds the options that cells stand for. */
export type FindOption = (options: readonly WordedOption[], cell: string, wording: Wording) => Found;

interface Names {
  readonly byCode: ReadonlyMap<string, string>;
  readonly byText: ReadonlyMap<string, string>;
}

export function createFindOption(): FindOption {
  const known = new WeakMap<readonly WordedOption[], Names>();
  return (options, cell, wording) => {
    const { byCode, byText } = known.get(options) ?? namesOf(options);
    if (!known.has(options)) known.set(options, { byCode, byText });
    const code = wording === 'texts' ? undefined : byCode.get(cell);
    const text = wording === 'codes' ? undefined : byText.get(cell);
    if (code !== undefined && text !== undefined && code !== text) {
      // In their order, which does not tell what the cell says.
      return { kind: 'ambiguous', ids: options.map(({ id }) => id).filter((id) => id === code || id === text) };
    }
    const id = code ?? text;
    return id === undefined ? { kind: 'none' } : { kind: 'option', id };
  };
}

/** The first of several that are called the same. */
function namesOf(options: readonly WordedOption[]): Names {
  const last = options.toReversed();
  return {
    byCode: new Map(last.map(({ id, code }) => [code, id])),
    byText: new Map(last.flatMap(({ id, texts }) => texts.map((text) => [text, id] as const))),
  };
}

/** Learns from the cells of a file what they say. */
interface WordingSample {
  look(options: readonly WordedOption[], cell: string): void;
  /** By the cells that can be read one way only: `otherwise` when there were none, `either` when there were of both. */
  wording(otherwise: Wording): Wording;
}

export function createWordingSample(find: FindOption): WordingSample {
  const said = new Set<Wording>();
  return {
    look(options, cell) {
      const isCode = find(options, cell, 'codes').kind === 'option';
      const isText = find(options, cell, 'texts').kind === 'option';
      if (isCode !== isText) said.add(isCode ? 'codes' : 'texts');
    },
    wording(otherwise) {
      const [only = otherwise] = said;
      return said.size > 1 ? 'either' : only;
    },
  };
}
