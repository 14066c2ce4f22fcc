import type { ResponseConditions } from '@survey/client';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { readFragment, toFragment } from './where.ts';

/** The conditions of a page, which are in the fragment of its address. */
export interface PageConditions {
  readonly where: ResponseConditions | undefined;
  /** Whether the address has conditions that cannot be read. */
  readonly isUnreadable: boolean;
  /** The fragment, for links and changes of the address that keep the conditions. */
  readonly hash: string;
  readonly change: (where: ResponseConditions | undefined) => void;
}

export function useConditions(): PageConditions {
  const fragment = useLocation({ select: ({ hash }) => hash });
  const navigate = useNavigate();
  const read = useMemo(() => readFragment(fragment), [fragment]);
  const where = read === 'invalid' ? undefined : read;
  return {
    where,
    isUnreadable: read === 'invalid',
    hash: toFragment(where),
    change: (next) =>
      void navigate({ to: '.', search: true, hash: toFragment(next), replace: true, resetScroll: false }),
  };
}
