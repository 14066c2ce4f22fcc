import type { Client } from '@survey/client';
import { createContext, type ReactNode, useCallback, useContext, useMemo } from 'react';
import { useSession } from '../session/session.tsx';
import { useTransfers } from '../transfers/use-transfers.ts';
import { useAnnounce } from '../ui/announce.tsx';
import { addSample, type Sample } from './import-state.tsx';
import { createUploadRequest } from './upload-request.ts';

/** An upload in progress, or one that failed. */
export interface Upload {
  readonly id: number;
  readonly fileName: string;
  readonly totalBytes: number;
  readonly sentBytes: number;
  readonly samples: readonly Sample[];
  readonly state: 'running' | 'failed';
  readonly error: unknown;
}

interface Uploads {
  readonly uploads: readonly Upload[];
  /**
   * Uploads a file with a client that reports the progress. The upload continues when the user leaves the page. Returns
   * the reply. Returns undefined if the user cancels, or if the upload fails: the list then shows the error.
   */
  readonly run: <T>(file: File, send: (client: Client, signal: AbortSignal) => Promise<T>) => Promise<T | undefined>;
  readonly cancel: (id: number) => void;
  readonly dismiss: (id: number) => void;
}

const UploadsContext = createContext<Uploads | undefined>(undefined);

/** Pause between updates of the progress. */
const UPDATE_MS = 500;

/** Uploads of the signed-in user. They continue on other pages, and end when the user signs out. */
export function useUploads(): Uploads {
  const uploads = useContext(UploadsContext);
  if (uploads === undefined) throw new Error('useUploads needs an UploadsProvider');
  return uploads;
}

export function UploadsProvider({ children }: { readonly children: ReactNode }) {
  const { createClientWith } = useSession();
  const announce = useAnnounce();
  const { transfers: uploads, begin, cancel, dismiss } = useTransfers<Upload>();

  const run = useCallback<Uploads['run']>(
    async (file, send) => {
      const initial = { fileName: file.name, totalBytes: file.size, sentBytes: 0, samples: [], error: undefined };
      // A new upload removes failed ones from the list.
      const { id, signal, update, end } = begin(
        (newId) => ({ id: newId, ...initial, state: 'running' }),
        ({ state }) => state === 'running',
      );
      let updated = Number.NEGATIVE_INFINITY;
      const client = createClientWith(
        createUploadRequest((bytes) => {
          const at = Date.now();
          const isEnd = bytes === 0 || bytes >= file.size;
          if (!isEnd && at - updated < UPDATE_MS) return;
          updated = at;
          const sentBytes = Math.min(bytes, file.size);
          const sample = { at, bytes: sentBytes, rows: 0 };
          // 0 bytes: the client sends the file once more, so earlier samples no longer count.
          update(({ samples }) => ({ sentBytes, samples: addSample(bytes === 0 ? [] : samples, sample) }));
        }),
      );
      try {
        const reply = await send(client, signal);
        dismiss(id);
        announce(`${file.name} is uploaded.`);
        return reply;
      } catch (error) {
        if (signal.aborted) dismiss(id);
        else {
          update(() => ({ state: 'failed', error }));
          announce(`The upload of ${file.name} failed.`);
        }
        return undefined;
      } finally {
        end();
      }
    },
    [announce, begin, createClientWith, dismiss],
  );

  const value = useMemo(() => ({ uploads, run, cancel, dismiss }), [uploads, run, cancel, dismiss]);
  return <UploadsContext value={value}>{children}</UploadsContext>;
}
