import { momentType } from './moment.ts';

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;

/** `YYYY-MM-DD`, a day that exists in the Gregorian calendar (RFC 3339 full-date). */
export const date = momentType({
  what: 'a date as YYYY-MM-DD',
  toMoment: (text) => {
    const match = DATE.exec(text);
    if (match === null) return undefined;
    const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
    return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(month, year) ? text : undefined;
  },
});

const daysIn = (month: number, year: number): number => {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
};
