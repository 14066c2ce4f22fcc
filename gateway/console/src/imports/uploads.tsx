import type { Client } from '@survey/client';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { useSession } from '../session/session.tsx';
import { useAnnounce } from '../ui/announce.tsx';
import { addSample, type Sample } from './progress-estimate.ts';
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
   * Uploads a file with a client that reports the progress. It goes on when its page is left. Returns the reply;
   * undefined after a failure, which is in the list, or a cancellation.
   */
  readonly run: <T>(file: File, send: (client: Client, signal: AbortSignal) => Promise<T>) => Promise<T | undefined>;
  readonly cancel: (id: number) => void;
  readonly dismiss: (id: number) => void;
}

const UploadsContext = createContext<Uploads | undefined>(undefined);

/** Pause between updates of the progress. */
const UPDATE_MS = 500;

/** Uploads of the signed-in user. They outlive pages, and end when the user signs out. */
export function useUploads(): Uploads {
  const uploads = useContext(UploadsContext);
  if (uploads === undefined) throw new Error('useUploads needs an UploadsProvider');
  return uploads;
}

export function UploadsProvider({ children }: { readonly children: ReactNode }) {
  const { clientWith } = useSession();
  const announce = useAnnounce();
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const controllers = useRef(new Map<number, AbortController>());
  const lastId = useRef(0);

  useEffect(() => {
    const running = controllers.current;
    return () => {
      for (const controller of running.values()) controller.abort();
    };
  }, []);
  const isRunning = uploads.some(({ state }) => state === 'running');
  useEffect(() => {
    if (!isRunning) return undefined;
    const warn = (event: Event) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isRunning]);

  const run = useCallback<Uploads['run']>(
    async (file, send) => {
      lastId.current += 1;
      const id = lastId.current;
      const controller = new AbortController();
      controllers.current.set(id, controller);
      const update = (change: (upload: Upload) => Partial<Upload>) =>
        setUploads((all) => all.map((upload) => (upload.id === id ? { ...upload, ...change(upload) } : upload)));
      const remove = () => setUploads((all) => all.filter((upload) => upload.id !== id));
      const begin = { id, fileName: file.name, totalBytes: file.size, sentBytes: 0, samples: [] };
      // A new try takes the place of those that failed.
      setUploads((all) => [
        { ...begin, state: 'running', error: undefined },
        ...all.filter(({ state }) => state === 'running'),
      ]);
      let updated = Number.NEGATIVE_INFINITY;
      const client = clientWith(
        createUploadRequest((bytes) => {
          const at = Date.now();
          const isEnd = bytes === 0 || bytes >= file.size;
          if (!isEnd && at - updated < UPDATE_MS) return;
          updated = at;
          const sentBytes = Math.min(bytes, file.size);
          const sample = { at, bytes: sentBytes, rows: 0 };
          update(({ samples }) => ({ sentBytes, samples: addSample(bytes === 0 ? [] : samples, sample) }));
        }),
      );
      try {
        const reply = await send(client, controller.signal);
        remove();
        announce(`${file.name} is uploaded.`);
        return reply;
      } catch (error) {
        if (controller.signal.aborted) remove();
        else {
          update(() => ({ state: 'failed', error }));
          announce(`The upload of ${file.name} failed.`);
        }
        return undefined;
      } finally {
        controllers.current.delete(id);
      }
    },
    [announce, clientWith],
  );

  const value = useMemo(
    () => ({
      uploads,
      run,
      cancel: (id: number) => controllers.current.get(id)?.abort(),
      dismiss: (id: number) => setUploads((all) => all.filter((upload) => upload.id !== id)),
    }),
    [uploads, run],
  );
  return <UploadsContext value={value}>{children}</UploadsContext>;
}
