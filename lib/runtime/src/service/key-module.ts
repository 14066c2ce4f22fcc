import { dataKeyIndexes } from '../crypto/data-key.ts';
import { createKeyHandler } from './key-handler.ts';
import type { ServiceModule } from './service-module.ts';

export function createKeyModule(dependencies: Parameters<typeof createKeyHandler>[0]): ServiceModule {
  return { handlers: [createKeyHandler(dependencies)], indexes: { data_keys: dataKeyIndexes } };
}
