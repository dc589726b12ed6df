import boards from "./boards.ftl?raw";
import page from "./page.ftl?raw";
import table from "./table.ftl?raw";

export default [page, table, boards].join("\n");
