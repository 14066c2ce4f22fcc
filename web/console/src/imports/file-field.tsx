import { DropZone } from 'react-aria-components/DropZone';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { Button } from '../ui/button.tsx';
import { formatBytes } from '../ui/format.tsx';

interface Props {
  readonly value: File | undefined;
  readonly onChange: (file: File) => void;
}

/** A file from the disk, by drag and drop, by a button, or pasted. */
export function FileField({ value, onChange }: Props) {
  return (
    <DropZone
      className="drop-zone"
      aria-label="Drop a file here, or paste one"
      onDrop={({ items }) => {
        const file = items.find((item) => item.kind === 'file');
        if (file !== undefined) void file.getFile().then(onChange);
      }}
    >
      {value === undefined ? (
        <p>Drop a file here, or choose one. Up to 1 GB.</p>
      ) : (
        <p>
          <strong>
            <bdi>{value.name}</bdi>
          </strong>
          , {formatBytes(value.size)}
        </p>
      )}
      <FileTrigger
        onSelect={(files) => {
          const [file] = files ?? [];
          if (file !== undefined) onChange(file);
        }}
      >
        <Button>{value === undefined ? 'Choose a file' : 'Choose another file'}</Button>
      </FileTrigger>
    </DropZone>
  );
}
