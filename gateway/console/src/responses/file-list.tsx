import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useDownloads } from '../downloads/downloads.tsx';
import { readFileName } from '../downloads/file-name.ts';
import { useClient } from '../session/session.tsx';
import { Button } from '../ui/button.tsx';
import { formatBytes } from '../ui/format.tsx';
import { ErrorNotice } from '../ui/states.tsx';

/** Images that browsers show without running anything in them: not SVG. The server detected the type from the bytes. */
const SAFE_IMAGES: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'];
const LARGEST_IMAGE = 20_000_000;
/** Files whose name and size are read at once. */
const DESCRIBED_FILES = 20;

interface Props {
  readonly responseId: string;
  readonly ids: readonly string[];
}

/** Files of an answer. They are downloaded with the token of the user, so there is no link that others could use. */
export function FileList({ responseId, ids }: Props) {
  return (
    <ul className="plain-list stack">
      {ids.map((id, index) => (
        <li key={id}>
          <File responseId={responseId} id={id} isDescribed={index < DESCRIBED_FILES} />
        </li>
      ))}
    </ul>
  );
}

interface FileProps {
  readonly responseId: string;
  readonly id: string;
  readonly isDescribed: boolean;
}

function File({ responseId, id, isDescribed }: FileProps) {
  const client = useClient();
  const { start } = useDownloads();
  const [isShown, setShown] = useState(false);
  const description = useFileDescription(id, isDescribed);
  const { name, size, type } = description.data ?? {};
  const isImage = type !== undefined && SAFE_IMAGES.includes(type) && size !== undefined && size <= LARGEST_IMAGE;
  const label = name ?? id;
  return (
    <div className="stack">
      <div className="row">
        <span>
          <bdi>{label}</bdi>{' '}
          {size !== undefined && (
            <span className="soft small">
              {formatBytes(size)}, {type}
            </span>
          )}
        </span>
        <Button
          aria-label={`Download ${label}`}
          onPress={() =>
            void start({
              group: responseId,
              fileName: label,
              // Never the type of the file: the browser must save it, not show it.
              mediaType: 'application/octet-stream',
              asksForPlace: false,
              open: (signal) => client.responses.getFile(id, { signal }),
            })
          }
        >
          Download
        </Button>
        {isImage && (
          <Button variant="plain" aria-expanded={isShown} onPress={() => setShown(!isShown)}>
            {isShown ? 'Hide' : 'Show'}
          </Button>
        )}
      </div>
      {description.isError && <ErrorNotice error={description.error} retry={() => void description.refetch()} />}
      {isShown && type !== undefined && <Image id={id} name={label} type={type} />}
    </div>
  );
}

/** Name, size and type of a file, from the headers of its download. */
export function useFileDescription(id: string, enabled: boolean) {
  const client = useClient();
  return useQuery({
    queryKey: ['file', id, 'description'],
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const response = await client.responses.getFile(id, { signal });
      await response.body?.cancel();
      const { headers } = response;
      return {
        name: readFileName(headers.get('content-disposition')),
        size: Number(headers.get('content-length')),
        type: headers.get('content-type') ?? undefined,
      };
    },
  });
}

interface ImageProps {
  readonly id: string;
  readonly name: string;
  readonly type: string;
}

function Image({ id, name, type }: ImageProps) {
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
