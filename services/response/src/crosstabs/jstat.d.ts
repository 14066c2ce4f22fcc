/** The functions of `jstat` that crosstabs use. The package has no types. */
declare module 'jstat' {
  const jstat: {
    readonly chisquare: { cdf(value: number, degreesOfFreedom: number): number };
    readonly studentt: { inv(probability: number, degreesOfFreedom: number): number };
  };
  export = jstat;
}
