import type { DescService } from '@bufbuild/protobuf';
import { accessOf } from './access.ts';
import { operationNameOf } from './headers.ts';

/**
 * Checks that all operations of the services have an access option and are unary. Throws for the first operation that
 * breaks this rule, so that the process does not start.
 */
export function checkContract(services: readonly DescService[]): void {
  for (const method of services.flatMap((service) => service.methods)) {
    accessOf(method);
    if (method.methodKind !== 'unary')
      throw new Error(`${operationNameOf(method)} is a stream; only unary operations are served`);
  }
}
