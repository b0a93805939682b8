/** Stands for Supabase's key in a preview without a database, which shows the demo catalogue. */
export const demoKey = 'demo-catalogue';
