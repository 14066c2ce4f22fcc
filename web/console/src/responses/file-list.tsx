import type { ResponseFile } from '@survey/client';
import { useEffect, useState } from 'react';
import { useDownloads } from '../downloads/downloads.tsx';
import { useClient } from '../session/session.tsx';
import { Button } from '../ui/button.tsx';
import { formatBytes } from '../ui/format.tsx';
import { ErrorNotice } from '../ui/states.tsx';
import { useResponseFiles } from './response-queries.ts';

/** Types of images that cannot contain scripts. SVG can. The server detects the type of a file from its bytes. */
const SAFE_IMAGES: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'];
const MAX_IMAGE_BYTES = 20_000_000;

interface Props {
  readonly responseId: string;
  readonly ids: readonly string[];
}

/** Files of an answer. They are downloaded with the token of the user, so there is no link that others could use. */
export function FileList({ responseId, ids }: Props) {
  const files = useResponseFiles(responseId);
  return (
    <>
      <ul className="plain-list stack">
        {ids.map((id) => (
          <li key={id}>
            <FileRow responseId={responseId} id={id} file={files.data?.get(id)} />
          </li>
        ))}
      </ul>
      {files.isError && <ErrorNotice error={files.error} retry={() => void files.refetch()} />}
    </>
  );
}

interface FileRowProps {
  readonly responseId: string;
  readonly id: string;
  /** Undefined until it is loaded. */
  readonly file: ResponseFile | undefined;
}

function FileRow({ responseId, id, file }: FileRowProps) {
  const client = useClient();
  const { start } = useDownloads();
  const [isShown, setShown] = useState(false);
  const name = file?.filename ?? id;
  const isImage = file !== undefined && SAFE_IMAGES.includes(file.content_type) && file.size <= MAX_IMAGE_BYTES;
  return (
    <div className="stack">
      <div className="row">
        <span>
          <bdi>{name}</bdi>{' '}
          {file !== undefined && (
            <span className="soft small">
              {formatBytes(file.size)}, {file.content_type}
            </span>
          )}
        </span>
        <Button
          aria-label={`Download ${name}`}
          onPress={() =>
            void start({
              group: responseId,
              fileName: name,
              // Not the type of the file, so that the browser saves the file and does not show it.
              mediaType: 'application/octet-stream',
              asksWhereToSave: false,
              open: (signal) => client.responses.getFile(id, { signal }),
            })
          }
        >
          Download
        </Button>
        {isImage && (
          <Button
            variant="plain"
            aria-label={`${isShown ? 'Hide' : 'Show'} ${name}`}
            aria-expanded={isShown}
            onPress={() => setShown(!isShown)}
          >
            {isShown ? 'Hide' : 'Show'}
          </Button>
        )}
      </div>
      {isShown && isImage && <FileImage id={id} name={name} type={file.content_type} />}
    </div>
  );
}

interface FileImageProps {
  readonly id: string;
  readonly name: string;
  readonly type: string;
}

function FileImage({ id, name, type }: FileImageProps) {
  const client = useClient();
  const [address, setAddress] = useState<string>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    const controller = new AbortController();
    let created: string | undefined;
    client.responses
      .getFile(id, { signal: controller.signal })
      .then(async (response) => {
        const bytes = await response.arrayBuffer();
        if (controller.signal.aborted) return;
        created = URL.createObjectURL(new Blob([bytes], { type }));
        setAddress(created);
      })
      .catch((failure: unknown) => {
        if (!controller.signal.aborted) setError(failure);
      });
    return () => {
      controller.abort();
      if (created !== undefined) URL.revokeObjectURL(created);
    };
  }, [client, id, type]);
  if (error !== undefined) return <ErrorNotice error={error} />;
  return address === undefined ? null : <img className="answer-image" src={address} alt={name} />;
}
