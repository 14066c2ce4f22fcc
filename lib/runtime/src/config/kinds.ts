import { isObject } from '../json/is-object.ts';
import { type AddressRanges, parseRanges } from '../limits/client.ts';
import type { Setting } from './settings.ts';

type Common = Omit<Setting<unknown>, 'parse'>;
type Optional = Omit<Common, 'fallback'>;

/** Any text. */
export function text(common: Common): Setting<string> {
  return { ...common, parse: (raw) => raw };
}

/** Any text, or undefined when the variable is not set. */
export function optionalText(common: Optional): Setting<string | undefined> {
  return { ...common, fallback: '', parse: (raw) => raw || undefined };
}

/** A TCP port, 0 for any free one. */
export function port(common: Common): Setting<number> {
  return integer({ ...common, min: 0, max: 65_535 });
}

/** A whole number within bounds. */
export function integer({ min, max, ...common }: Common & { min: number; max: number }): Setting<number> {
  return {
    ...common,
    parse: (raw) => {
      const value = Number(raw);
      if (!/^-?\d+$/.test(raw) || value < min || value > max)
        throw new Error(`has to be a whole number, ${min} to ${max}`);
      return value;
    },
  };
}

/** A whole number within bounds, or undefined when the variable is not set. */
export function optionalInteger(common: Optional & { min: number; max: number }): Setting<number | undefined> {
  const { parse } = integer(common);
  return { ...common, fallback: '', parse: (raw) => (raw === '' ? undefined : parse(raw)) };
}

/** `true` or `false`. */
export function flag(common: Common): Setting<boolean> {
  return {
    ...common,
    parse: (raw) => {
      if (raw !== 'true' && raw !== 'false') throw new Error('has to be true or false');
      return raw === 'true';
    },
  };
}

/** One of a few words. */
export function choice<const T extends string>({ of, ...common }: Common & { of: readonly T[] }): Setting<T> {
  return {
    ...common,
    parse: (raw) => {
      const value = of.find((item) => item === raw);
      if (value === undefined) throw new Error(`has to be one of ${of.join(', ')}`);
      return value;
    },
  };
}

/** Words with commas between them; at least one, unless the fallback has none. */
export function list(common: Common): Setting<readonly string[]> {
  const parse = (raw: string) => {
    const items = raw
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
    if (items.length === 0 && common.fallback !== '') throw new Error('has to name at least one');
    return items;
  };
  return { ...common, parse };
}

/** Ranges of addresses like `10.0.0.0/8`, with commas between them. */
export function ranges(common: Common): Setting<AddressRanges> {
  const words = list(common);
  return { ...words, parse: (raw) => parseRanges(words.parse(raw)) };
}

/** An http or https address without a trailing slash. */
export function url(common: Common): Setting<string> {
  return {
    ...common,
    parse: (raw) => {
      const parsed = URL.canParse(raw) ? new URL(raw) : undefined;
      if (parsed === undefined || !/^https?:$/.test(parsed.protocol))
        throw new Error('has to be an http or https address');
      return raw.replace(/\/+$/, '');
    },
  };
}

/** An http or https address without a trailing slash, or undefined when the variable is not set. */
export function optionalUrl(common: Optional): Setting<string | undefined> {
  const { parse } = url(common);
  return { ...common, fallback: '', parse: (raw) => (raw === '' ? undefined : parse(raw)) };
}

/** A JSON object. The parse error of a secret does not quote it. */
export function json<T extends object>(common: Common): Setting<T> {
  return {
    ...common,
    parse: (raw) => {
      try {
        const value: unknown = JSON.parse(raw);
        // Its reader checks the members; here only that there are any.
        if (isObject(value)) return value as T;
      } catch {
        // The message below says all that may be said of a secret.
      }
      throw new Error('has to be a JSON object');
    },
  };
}
