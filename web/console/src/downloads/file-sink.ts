import { saveFile } from '../ui/save-file.ts';

/** Takes the bytes of a file. */
export interface FileSink {
  write(chunk: Uint8Array<ArrayBuffer>): Promise<void>;
  /** Completes the file. */
  close(): Promise<void>;
  /** Discards the file. */
  abort(): Promise<void>;
}

/** The used part of the File System Access API. Some browsers do not have this API, nor do the types of TypeScript. */
interface FilePicker {
  showSaveFilePicker?(options: { readonly suggestedName: string }): Promise<{
    createWritable(): Promise<FileSink>;
  }>;
}

/** Whether the browser can write a download to disk while it arrives. Other browsers collect it in memory. */
export function canWriteToDisk(): boolean {
  return (window as FilePicker).showSaveFilePicker !== undefined;
}

/**
 * Asks the user for a location, and writes to the disk directly, so that a file may be larger than the memory. Call it
 * in the handler of a click: browsers open the dialog only then. Resolves with undefined if the user closes the dialog.
 * If the browser lacks the API, collects the bytes in memory.
 */
export async function openFileSink(name: string, mediaType: string): Promise<FileSink | undefined> {
  const { showSaveFilePicker } = window as FilePicker;
  if (showSaveFilePicker === undefined) return createBlobSink(name, mediaType);
  try {
    const file = await showSaveFilePicker.call(window, { suggestedName: name });
    return await file.createWritable();
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined;
    // The browser may forbid the API, for example in frames, or reject the name.
    return createBlobSink(name, mediaType);
  }
}

/** Collects a file in memory, and hands it to the browser as a download. */
export function createBlobSink(name: string, mediaType: string): FileSink {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  return {
    async write(chunk) {
      chunks.push(chunk);
    },
    async close() {
      saveFile(name, mediaType, new Blob(chunks));
    },
    async abort() {
      chunks.length = 0;
    },
  };
}
