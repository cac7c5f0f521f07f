/** The address of a drawing: the build gives each file a name by its content. */
declare module "*.svg" {
  const address: string;
  export default address;
}
