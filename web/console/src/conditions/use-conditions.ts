import type { ResponseConditions } from '@survey/client';
import { CONDITION_LIMITS } from '@survey/questionnaire/conditions/condition-schema';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useAnnounce } from '../ui/announce.tsx';
import { readFragment, toFragment } from './where.ts';

/** The conditions of a page, which are in the fragment of its address. */
export interface PageConditions {
  readonly where: ResponseConditions | undefined;
  /** Whether the address has conditions that cannot be read. */
  readonly isUnreadable: boolean;
  /** The fragment, for links and changes of the address that keep the conditions. */
  readonly hash: string;
  /** Returns false, with a word to the user, if there are too many conditions. */
  readonly change: (where: ResponseConditions | undefined) => boolean;
}

export function useConditions(): PageConditions {
  const fragment = useLocation({ select: ({ hash }) => hash });
  const navigate = useNavigate();
  const announce = useAnnounce();
  const read = useMemo(() => readFragment(fragment), [fragment]);
  const where = read === 'invalid' ? undefined : read;
  return {
    where,
    isUnreadable: read === 'invalid',
    hash: toFragment(where),
    change: (next) => {
      if (next !== undefined && next.conditions.length > CONDITION_LIMITS.conditions) {
        announce(`There can be at most ${CONDITION_LIMITS.conditions} conditions.`);
        return false;
      }
      void navigate({ to: '.', search: true, hash: toFragment(next), replace: true, resetScroll: false });
      return true;
    },
  };
}
