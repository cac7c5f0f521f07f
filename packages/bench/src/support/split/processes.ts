/** The services of two processes (SERVICES): every entry point, and every service with the sandbox. */
export const GATEWAY_AND_SERVICES = [
  "http",
  "cart,payment,order,customer,user,access,settings,mail,webhook,catalog,dis-router,search,ai,pipeline,media,eventstore,analytics,health-analytics,sandbox",
];
