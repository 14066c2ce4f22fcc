/** The names of options in cells: codes, texts, or `either` if the file has both or the wording is unknown. */
export type Wording = 'codes' | 'texts' | 'either';

interface WordedOption {
  readonly id: string;
  readonly code: string;
  readonly texts: readonly string[];
}

/** The option of a cell; `ambiguous` if code and text match different options. */
type Found =
  | { readonly kind: 'option'; readonly id: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'ambiguous'; readonly ids: readonly string[] };

/** Stands for an answer that could be any of these options. */
export class Ambiguous {
  readonly ids: readonly string[];

  constructor(ids: readonly string[]) {
    this.ids = ids;
  }
}

/** Finds the option that a cell names. */
export type FindOption = (options: readonly WordedOption[], cell: string, wording: Wording) => Found;

interface Names {
  readonly byCode: ReadonlyMap<string, string>;
  readonly byText: ReadonlyMap<string, string>;
}

export function createFindOption(): FindOption {
  const cache = new WeakMap<readonly WordedOption[], Names>();
  return (options, cell, wording) => {
    const { byCode, byText } = cache.get(options) ?? namesOf(options);
    if (!cache.has(options)) cache.set(options, { byCode, byText });
    const code = wording === 'texts' ? undefined : byCode.get(cell);
    const text = wording === 'codes' ? undefined : byText.get(cell);
    if (code !== undefined && text !== undefined && code !== text) {
      // Keep the order of the survey: if the option of the code always came first, the message would reveal the cell.
      return { kind: 'ambiguous', ids: options.map(({ id }) => id).filter((id) => id === code || id === text) };
    }
    const id = code ?? text;
    return id === undefined ? { kind: 'none' } : { kind: 'option', id };
  };
}

/** The first of several options with the same name wins. */
function namesOf(options: readonly WordedOption[]): Names {
  const reversed = options.toReversed();
  return {
    byCode: new Map(reversed.map(({ id, code }) => [code, id])),
    byText: new Map(reversed.flatMap(({ id, texts }) => texts.map((text) => [text, id] as const))),
  };
}

/** Learns from sample cells how a file names options. */
interface WordingSample {
  look(options: readonly WordedOption[], cell: string): void;
  /** The wording of unambiguous cells: `otherwise` if there were none, `either` if both occurred. */
  wording(otherwise: Wording): Wording;
}

export function createWordingSample(find: FindOption): WordingSample {
  const given = new Set<Wording>();
  return {
    look(options, cell) {
      const isCode = find(options, cell, 'codes').kind === 'option';
      const isText = find(options, cell, 'texts').kind === 'option';
      if (isCode !== isText) given.add(isCode ? 'codes' : 'texts');
    },
    wording(otherwise) {
      const [only = otherwise] = given;
      return given.size > 1 ? 'either' : only;
    },
  };
}
