import { type DescMethod, type DescService, getOption, hasOption } from '@bufbuild/protobuf';
import { access as accessOption } from '@survey/proto/survey/options/v1/options_pb';
import { operationNameOf } from './headers.ts';

/** The callers that an operation allows, from its `access` option. */
export type Access =
  | { readonly kind: 'permission'; readonly permission: string }
  | { readonly kind: 'authenticated' | 'public' }
  /** Only these processes, over gRPC. */
  | { readonly kind: 'internal'; readonly callers: ReadonlySet<string> };

const PERMISSION = /^[a-z][a-z-]*:[a-z]+$/;

/** Reads the `access` option. Throws if it is missing or empty, so that no operation is public by mistake. */
export function accessOf(method: DescMethod): Access {
  const known = cache.get(method);
  if (known !== undefined) return known;
  const access = readAccess(method);
  cache.set(method, access);
  return access;
}

/** Access by operation. Decoding the options is slow, and every call needs them. */
const cache = new WeakMap<DescMethod, Access>();

function readAccess(method: DescMethod): Access {
  const name = operationNameOf(method);
  if (!hasOption(method, accessOption)) throw new Error(`${name} has no access option`);
  const { rule, also, callers } = getOption(method, accessOption);
  const malformed = also.find((permission) => !PERMISSION.test(permission));
  if (malformed !== undefined) throw new Error(`${name} names the malformed permission ${malformed}`);
  if ((rule.case === 'internal') !== callers.length > 0)
    throw new Error(`${name} must have callers if it is internal, and no callers otherwise`);
  switch (rule.case) {
    case 'permission':
      if (!PERMISSION.test(rule.value)) throw new Error(`${name} names the malformed permission '${rule.value}'`);
      return { kind: 'permission', permission: rule.value };
    case 'authenticated':
    case 'public':
    case 'internal':
      if (!rule.value)
        throw new Error(`${name} has an access rule that is false: set it to true, or choose another rule`);
      return rule.case === 'internal' ? { kind: rule.case, callers: new Set(callers) } : { kind: rule.case };
    case undefined:
      throw new Error(`${name} has an empty access option`);
  }
}

/** Additional permissions that an operation may require, depending on the request. */
export function extraPermissionsOf(method: DescMethod): readonly string[] {
  return getOption(method, accessOption).also;
}

/** Throws if an operation lacks its access option or is not unary, so that the process does not start. */
export function checkContract(services: readonly DescService[]): void {
  for (const method of services.flatMap((service) => service.methods)) {
    accessOf(method);
    if (method.methodKind !== 'unary')
      throw new Error(`${operationNameOf(method)} is a stream; only unary operations are served`);
  }
}
