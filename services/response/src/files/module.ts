import type { Envelope } from '@survey/runtime/crypto/envelope';
import {
  createIdempotencyStore,
  type IdempotencyDocument,
  idempotencyIndexes,
} from '@survey/runtime/idempotency/idempotency-store';
import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import { v7 } from 'uuid';
import type { ResponseApi } from '../responses/module.ts';
import type { DefinitionService } from '../surveys/definition-service.ts';
import { createUploadCounter, measureDueFiles } from './file-metrics.ts';
import { createFileReading } from './file-reading.ts';
import { createFileSealer } from './file-sealer.ts';
import { createFileSettlement, createFileSweeper } from './file-settlement.ts';
import {
  createFileStore,
  type FileChunkDocument,
  type FileDocument,
  fileChunkIndexes,
  fileIndexes,
} from './file-store.ts';
import { createResponseFiles } from './response-files.ts';
import { createUploadService } from './upload-service.ts';

interface Dependencies {
  readonly definitions: DefinitionService;
  readonly responses: Pick<ResponseApi, 'store' | 'sealer' | 'fence' | 'responseService'>;
  readonly envelope: Envelope;
}

/** Files that respondents upload, users download, and responses name in their answers. */
export function createFileModule(runtime: ServiceRuntime, { definitions, responses, envelope }: Dependencies) {
  const { log, clock, now } = runtime;
  const store = createFileStore({
    files: runtime.collection<FileDocument>('files'),
    chunks: runtime.collection<FileChunkDocument>('file_chunks'),
  });
  const sealer = createFileSealer(envelope);
  const settlement = createFileSettlement({
    store,
    responses: responses.store,
    fence: responses.fence,
    sealer: responses.sealer,
    clock,
  });
  const uploads = createUploadService({
    store,
    sealer,
    idempotencyKeys: createIdempotencyStore(runtime.collection<IdempotencyDocument>('idempotency_keys')),
    count: createUploadCounter(runtime.registry),
    clock,
    now,
    newId: v7,
  });
  measureDueFiles({ files: store, clock, ...runtime.reporting });
  return {
    indexes: { files: fileIndexes, file_chunks: fileChunkIndexes, idempotency_keys: idempotencyIndexes },
    stoppedFirst: [createFileSweeper({ store, settlement, lease: runtime.lease('files'), clock, log })],
    provides: {
      uploads,
      fileReading: createFileReading({ definitions, responses: responses.responseService, store, settlement, sealer }),
      files: createResponseFiles({ store, settlement, clock, log }),
    },
  };
}
