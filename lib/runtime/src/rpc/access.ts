import { type DescMethod, getOption, hasOption } from '@bufbuild/protobuf';
import { access as accessOption } from '@survey/proto/survey/options/v1/options_pb';

/** Who may call an operation, as its `access` option says. */
export type Access =
  | { readonly kind: 'permission'; readonly permission: string }
  | { readonly kind: 'authenticated' | 'public' }
  /** Only these processes, over gRPC. */
  | { readonly kind: 'internal'; readonly callers: ReadonlySet<string> };

const PERMISSION = /^[a-z][a-z-]*:[a-z]+$/;

/** Reads the `access` option of an operation. Throws when it is missing or says nothing: nothing is open by neglect. */
export function accessOf(method: DescMethod): Access {
  const known = read.get(method);
  if (known !== undefined) return known;
  const access = readAccess(method);
  read.set(method, access);
  return access;
}

/** Options are decoded anew each time they are asked for, and this one is asked for with every call. */
const read = new WeakMap<DescMethod, Access>();

function readAccess(method: DescMethod): Access {
  const name = `${method.parent.typeName}.${method.name}`;
  if (!hasOption(method, accessOption)) throw new Error(`${name} has no access option`);
  const { rule, also, callers } = getOption(method, accessOption);
  const malformed = also.find((permission) => !PERMISSION.test(permission));
  if (malformed !== undefined) throw new Error(`${name} names the malformed permission ${malformed}`);
  if ((rule.case === 'internal') !== callers.length > 0)
    throw new Error(`${name} has to name its callers exactly when it is internal`);
  switch (rule.case) {
    case 'permission':
      if (!PERMISSION.test(rule.value)) throw new Error(`${name} names the malformed permission '${rule.value}'`);
      return { kind: 'permission', permission: rule.value };
    case 'authenticated':
    case 'public':
    case 'internal':
      if (!rule.value) throw new Error(`${name} has an access option that says false`);
      return rule.case === 'internal' ? { kind: rule.case, callers: new Set(callers) } : { kind: rule.case };
    case undefined:
      throw new Error(`${name} has an empty access option`);
  }
}

/** Permissions that an operation may demand besides, depending on the request. */
export function alsoOf(method: DescMethod): readonly string[] {
  return getOption(method, accessOption).also;
}
