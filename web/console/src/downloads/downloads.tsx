import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';
import { useTransfers } from '../transfers/use-transfers.ts';
import { useAnnounce } from '../ui/announce.tsx';
import { safeFileName } from './file-name.ts';
import { createBlobSink, type FileSink, openFileSink } from './file-sink.ts';
import { createRowCounter, type RowFormat } from './row-counter.ts';

/** A file to download. */
export interface DownloadRequest {
  /** Name of a group of downloads, such as those of one survey. The pages of the group show its downloads. */
  readonly group: string;
  readonly fileName: string;
  readonly mediaType: string;
  /** Whether to ask the user first where to save the file. Set it for files of unknown size. */
  readonly asksWhereToSave: boolean;
  /** Whether the download is an export of responses. Its group is then in `exportedGroups`. */
  readonly isExport?: boolean;
  /** Format of the rows to count. */
  readonly rowFormat?: RowFormat | undefined;
  /** Requests the file. */
  readonly open: (signal: AbortSignal) => Promise<Response>;
}

/** A download that runs or has ended. */
export interface Download {
  readonly id: number;
  readonly group: string;
  readonly fileName: string;
  readonly state: 'running' | 'finished' | 'cancelled' | 'failed';
  readonly bytes: number;
  /** Size of the file; undefined if unknown. */
  readonly totalBytes: number | undefined;
  readonly rows: number | undefined;
  readonly totalRows: number | undefined;
  readonly error: unknown;
}

interface Downloads {
  readonly downloads: readonly Download[];
  /**
   * Starts a download. It continues when the user leaves the page. Call this in the handler of a click. Returns true
   * when the download has begun, and false if the user closed the dialog for its location.
   */
  readonly start: (request: DownloadRequest) => Promise<boolean>;
  /** Groups with exports that were started since the page was loaded. Dismissed exports count too. */
  readonly exportedGroups: ReadonlySet<string>;
  readonly cancel: (id: number) => void;
  readonly dismiss: (id: number) => void;
}

const DownloadsContext = createContext<Downloads | undefined>(undefined);

/** Pause between updates of the progress. */
const UPDATE_MS = 200;

/** Downloads of the signed-in user. They continue on other pages, and end when the user signs out. */
export function useDownloads(): Downloads {
  const downloads = useContext(DownloadsContext);
  if (downloads === undefined) throw new Error('useDownloads needs a DownloadsProvider');
  return downloads;
}

export function DownloadsProvider({ children }: { readonly children: ReactNode }) {
  const { transfers: downloads, begin, cancel, dismiss } = useTransfers<Download>();
  const [exportedGroups, setExportedGroups] = useState<ReadonlySet<string>>(new Set());
  const announce = useAnnounce();

  const start = useCallback(
    async (request: DownloadRequest): Promise<boolean> => {
      const fileName = safeFileName(request.fileName);
      const sink = request.asksWhereToSave
        ? await openFileSink(fileName, request.mediaType)
        : createBlobSink(fileName, request.mediaType);
      if (sink === undefined) return false;
      const { group } = request;
      const empty = { bytes: 0, totalBytes: undefined, rows: undefined, totalRows: undefined, error: undefined };
      const { signal, update, end } = begin((id) => ({ id, group, fileName, state: 'running', ...empty }));
      if (request.isExport) setExportedGroups((all) => new Set([...all, group]));
      void run(request, sink, signal, (change) => update(() => change)).then((state) => {
        end();
        if (state === 'finished') announce(`${fileName} is downloaded.`);
        if (state === 'failed') announce(`The download of ${fileName} failed.`);
      });
      return true;
    },
    [announce, begin],
  );

  const value = useMemo(
    () => ({ downloads, exportedGroups, start, cancel, dismiss }),
    [downloads, exportedGroups, start, cancel, dismiss],
  );
  return <DownloadsContext value={value}>{children}</DownloadsContext>;
}

/** Runs a download to its end. Never rejects. */
async function run(
  request: DownloadRequest,
  sink: FileSink,
  signal: AbortSignal,
  update: (change: Partial<Download>) => void,
): Promise<Download['state']> {
  const counter = request.rowFormat === undefined ? undefined : createRowCounter(request.rowFormat);
  let bytes = 0;
  const progress = () => ({ bytes, ...(counter === undefined ? {} : { rows: counter.rows() }) });
  try {
    const response = await request.open(signal);
    update({
      totalBytes: readCount(response.headers.get('content-length')),
      totalRows: readCount(response.headers.get('x-total-count')),
    });
    let updated = performance.now();
    for await (const chunk of chunksOf(response)) {
      signal.throwIfAborted();
      await sink.write(chunk);
      bytes += chunk.length;
      counter?.add(chunk);
      if (performance.now() - updated < UPDATE_MS) continue;
      updated = performance.now();
      update(progress());
    }
    await sink.close();
    update({ state: 'finished', ...progress() });
    return 'finished';
  } catch (error) {
    await sink.abort().catch(() => undefined);
    const state = signal.aborted ? 'cancelled' : 'failed';
    update({ state, error: signal.aborted ? undefined : error, ...progress() });
    return state;
  }
}

async function* chunksOf({ body }: Response): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  if (body === null) return;
  const reader = body.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function readCount(header: string | null): number | undefined {
  return header !== null && /^\d+$/.test(header) ? Number(header) : undefined;
}
