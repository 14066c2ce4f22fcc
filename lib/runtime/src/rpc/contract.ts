import type { DescService } from '@bufbuild/protobuf';
import { accessOf } from './access.ts';

/**
 * Checks what every process demands of the operations that it serves: each says who may call it, and takes one
 * message and gives one. Throws on the first that does not, so that such a process does not start.
 */
export function checkContract(services: readonly DescService[]): void {
  for (const method of services.flatMap((service) => service.methods)) {
    accessOf(method);
    if (method.methodKind !== 'unary')
      throw new Error(`${method.parent.typeName}.${method.name} is a stream; only unary operations are served`);
  }
}
