export const monthsText = (months: number | undefined): string => `${months ?? 'all'} months`
