import { Button } from '../ui/button.tsx';
import { ErrorNotice, Progress } from '../ui/states.tsx';
import { describeUpload } from './upload-request.ts';
import { type Upload, useUploads } from './uploads.tsx';

/** The uploads that run, with their progress, and those that failed. Renders nothing if there are none. */
export function UploadList() {
  const { uploads, cancel, dismiss } = useUploads();
  if (uploads.length === 0) return null;
  return (
    <section aria-label="Uploads" className="stack">
      {uploads.map((upload) => (
        <div key={upload.id} className="card stack">
          <strong>
            {upload.state === 'running' ? 'Uploading' : 'Not uploaded'}: <bdi>{upload.fileName}</bdi>
          </strong>
          {upload.state === 'running' ? (
            <Running upload={upload} onCancel={() => cancel(upload.id)} />
          ) : (
            <>
              <ErrorNotice error={upload.error} />
              <div>
                <Button variant="plain" onPress={() => dismiss(upload.id)}>
                  Dismiss
                </Button>
              </div>
            </>
          )}
        </div>
      ))}
    </section>
  );
}

interface RunningProps {
  readonly upload: Upload;
  readonly onCancel: () => void;
}

function Running({ upload: { fileName, sentBytes, totalBytes, samples }, onCancel }: RunningProps) {
  return (
    <>
      <Progress
        label={`Upload of ${fileName}`}
        share={totalBytes === 0 ? undefined : sentBytes / totalBytes}
        text={describeUpload(sentBytes, totalBytes, samples)}
      />
      <p className="soft small">
        The import has the file and the settings that it was started with. You can use other pages meanwhile. Closing or
        reloading this tab stops the upload, and then nothing is imported.
      </p>
      <div>
        <Button onPress={onCancel}>Stop the upload</Button>
      </div>
    </>
  );
}
