import { type UseNavigateResult, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

/** Like `useNavigate`, for the end of an action: a user who left the component meanwhile stays where they are. */
export function useNavigateAfter(): UseNavigateResult<string> {
  const navigate = useNavigate();
  const isLeft = useRef(false);
  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
    };
  }, []);
  return async (options) => {
    if (!isLeft.current) await navigate(options);
  };
}
