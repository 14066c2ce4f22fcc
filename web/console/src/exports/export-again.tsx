import type { Survey } from '@survey/client';
import { useDownloads } from '../downloads/downloads.tsx';
import type { ResponseFilter } from '../surveys/response-counts.ts';
import { Button } from '../ui/button.tsx';
import type { ExportOptions } from './export-options.ts';
import { useExport } from './use-export.ts';

interface Props {
  readonly survey: Survey;
  /** The filters of the list. */
  readonly filter: ResponseFilter;
  readonly language: string;
  /** The options of the last export, from the address. */
  readonly options: ExportOptions;
  readonly onForget: () => void;
}

/** Offers to start the last export again after the page was reloaded, because a reload stops a running export. */
export function ExportAgain({ survey, filter, language, options, onForget }: Props) {
  const { exportedGroups } = useDownloads();
  const start = useExport(survey, filter, language);
  if (exportedGroups.has(survey.id)) return null;
  return (
    <section aria-label="Last export" className="card row no-print">
      <span>
        Your last export was {options.format.toUpperCase()}
        {options.all ? ' of all responses' : ' with the filters of the list'}. If it was interrupted, start it again.
      </span>
      <Button onPress={() => void start(options)}>Export again</Button>
      <Button variant="plain" onPress={onForget}>
        Dismiss
      </Button>
    </section>
  );
}
