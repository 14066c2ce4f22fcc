import { type AddressRanges, parseRanges } from '../flow/client-address.ts';
import { parseObject } from '../json/parse-json.ts';
import type { Setting } from './settings.ts';

type Common = Omit<Setting<unknown>, 'parse'>;
type Optional = Omit<Common, 'fallback'>;

export function text(common: Common): Setting<string> {
  return { ...common, parse: (raw) => raw };
}

export function optionalText(common: Optional): Setting<string | undefined> {
  return optional(text(common));
}

/** A TCP port; 0 means any free port. */
export function port(common: Common): Setting<number> {
  return integer({ ...common, min: 0, max: 65_535 });
}

export function integer({ min, max, ...common }: Common & { min: number; max: number }): Setting<number> {
  return {
    ...common,
    parse: (raw) => {
      const value = Number(raw);
      if (!/^-?\d+$/.test(raw) || value < min || value > max)
        throw new Error(`must be a whole number, ${min} to ${max}`);
      return value;
    },
  };
}

export function optionalInteger(common: Optional & { min: number; max: number }): Setting<number | undefined> {
  return optional(integer(common));
}

function optional<T>(setting: Setting<T>): Setting<T | undefined> {
  return { ...setting, fallback: '', parse: (raw) => (raw === '' ? undefined : setting.parse(raw)) };
}

export function flag(common: Common): Setting<boolean> {
  return {
    ...common,
    parse: (raw) => {
      if (raw !== 'true' && raw !== 'false') throw new Error('must be true or false');
      return raw === 'true';
    },
  };
}

export function choice<const T extends string>({
  values,
  ...common
}: Common & { readonly values: readonly T[] }): Setting<T> {
  return {
    ...common,
    parse: (raw) => {
      const value = values.find((item) => item === raw);
      if (value === undefined) throw new Error(`must be one of ${values.join(', ')}`);
      return value;
    },
  };
}

/** Texts separated by commas. The list can be empty only if the fallback is empty. */
export function list(common: Common): Setting<readonly string[]> {
  const parse = (raw: string) => {
    const items = raw
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
    if (items.length === 0 && common.fallback !== '') throw new Error('must name at least one');
    return items;
  };
  return { ...common, parse };
}

/** CIDR ranges like `10.0.0.0/8`, separated by commas. */
export function ranges(common: Common): Setting<AddressRanges> {
  const texts = list(common);
  return { ...texts, parse: (raw) => parseRanges(texts.parse(raw)) };
}

/** An http or https URL without a trailing slash. */
export function url(common: Common): Setting<string> {
  return {
    ...common,
    parse: (raw) => {
      const address = raw.trim();
      // `URL` removes line breaks instead of rejecting them.
      const parsed = URL.canParse(address) && !/\s/.test(address) ? new URL(address) : undefined;
      if (parsed === undefined || !/^https?:$/.test(parsed.protocol))
        throw new Error('must be an http or https address');
      return address.replace(/\/+$/, '');
    },
  };
}

export function optionalUrl(common: Optional): Setting<string | undefined> {
  return optional(url(common));
}

/** A JSON object. Errors do not quote the text, which may be a secret. */
export function json<T extends object>(common: Common): Setting<T> {
  return {
    ...common,
    parse: (raw) => {
      const value = parseObject(raw);
      if (value === undefined) throw new Error('must be a JSON object');
      // The consumer of the setting checks the members.
      return value as T;
    },
  };
}
