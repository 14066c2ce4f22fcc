import type { ResponseStatus } from '../responses/response.ts';

/** The responses with one status, through one link. */
export interface CountedGroup {
  readonly status: ResponseStatus;
  readonly linkId: string | undefined;
  readonly count: number;
  /** Time of creation of the latest response. */
  readonly lastAt: Date;
}

/** Number of responses by status, and in total. */
interface StatusCounts extends Readonly<Record<ResponseStatus, number>> {
  readonly total: number;
  /** Time of creation of the latest response; undefined without responses. */
  readonly lastResponseAt: Date | undefined;
}

export interface LinkCounts extends StatusCounts {
  readonly linkId: string;
  readonly lastResponseAt: Date;
}

/** The responses to a survey, and those through its most used links. */
export interface ResponseCounts {
  readonly all: StatusCounts;
  /** Most used links first. */
  readonly links: readonly LinkCounts[];
  readonly countedAt: Date;
}

/** Number of links that are listed. */
const MAX_LINKS = 1_000;

export function toResponseCounts(groups: readonly CountedGroup[], countedAt: Date): ResponseCounts {
  const byLink = Map.groupBy(groups, ({ linkId }) => linkId);
  const links = [...byLink].flatMap(([linkId, ofLink]): readonly LinkCounts[] => {
    const { lastResponseAt, ...counts } = toCounts(ofLink);
    return linkId === undefined || lastResponseAt === undefined ? [] : [{ linkId, ...counts, lastResponseAt }];
  });
  const mostUsed = links.toSorted((one, other) => other.total - one.total || (one.linkId < other.linkId ? -1 : 1));
  return { all: toCounts(groups), links: mostUsed.slice(0, MAX_LINKS), countedAt };
}

function toCounts(groups: readonly CountedGroup[]): StatusCounts {
  const counts = { in_progress: 0, completed: 0, disqualified: 0, abandoned: 0 };
  let total = 0;
  let lastResponseAt: Date | undefined;
  for (const { status, count, lastAt } of groups) {
    counts[status] += count;
    total += count;
    if (lastResponseAt === undefined || lastAt > lastResponseAt) lastResponseAt = lastAt;
  }
  return { ...counts, total, lastResponseAt };
}
