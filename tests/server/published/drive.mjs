// Drives the published client against a server; tells step by step, as JSON lines, what it saw.
// Arguments: address, key, user.
import { HttpTransport, MemoryClient, ParamError, TDAMError } from "@tencentdb-agent-memory/memory-sdk-ts-v2";

const [endpoint, apiKey, userId] = process.argv.slice(2);
const tell = (step, seen) => console.log(JSON.stringify({ step, seen }));
const failure = async (call) => {
  try {
    await call();
    return { kind: "none" };
  } catch (error) {
    const kind = error instanceof TDAMError ? "TDAMError" : error instanceof ParamError ? "ParamError" : String(error);
    return { kind, code: error.code, message: error.message, requestId: error.requestId };
  }
};

const config = { endpoint, apiKey, serviceId: "acme", rejectUnauthorized: true };
const v3 = new MemoryClient({ ...config, teamId: "team", agentId: "agent", userId, sessionId: "session-1" });
const at = "2026-05-22T14:30:00+08:00";
tell("v3 add", await v3.addConversation({
  messages: [
    { role: "user", content: "我喜欢关西线路。以后都用中文回答。", timestamp: at },
    { role: "assistant", content: "好的。", timestamp: at },
  ],
}));
const found = await v3.searchAtomic({ query: "关西线路", limit: 10, type: "persona", time_start: at, time_end: at });
tell("v3 search", found);
tell("v3 query", await v3.queryAtomic({ limit: 10 }));
tell("v3 count", await v3.countAtomic({ type: "instruction" }));
const id = found.items[0].id;
tell("v3 update", await v3.updateAtomic({ id, content: "我喜欢关东线路。", background: "" }));
tell("v3 search again", await v3.searchAtomic({ query: "关东线路", limit: 1 }));
tell("v3 messages", await v3.queryConversation({ limit: 10 }));
tell("v3 message search", await v3.searchConversation({ query: "关西", limit: 1 }));
tell("v3 message count", await v3.countConversation());
tell("v3 other session", await v3.withIsolation({ sessionId: "session-2" }).countConversation());
tell("v3 other user", await v3.withIsolation({ userId: "nobody" }).searchAtomic({ query: "关西" }));
tell("v3 delete", await v3.deleteAtomic({ ids: [id, "unknown"] }));
tell("v3 message delete", await v3.deleteConversation({ session_ids: ["session-1"] }));
tell("v3 empty", await v3.queryAtomic());
tell("v3 bad limit", await failure(() => v3.searchAtomic({ query: "x", limit: 101 })));
tell("v3 blank", await failure(() => v3.searchAtomic({ query: " " })));
tell("v3 bad type", await failure(() => v3.queryAtomic({ type: "fact" })));
tell("v3 unknown", await failure(() => v3.updateAtomic({ id: "unknown", content: "x" })));
tell("v3 no route", await failure(() => v3.readCore()));
tell("v3 wrong key", await failure(() => new MemoryClient({
  ...config, apiKey: "wrong", teamId: "team", agentId: "agent", userId,
}).countAtomic()));

const v2 = new HttpTransport(config);
const scope = { user_id: userId };
tell("v2 add", await v2.post("/v2/conversation/add", {
  ...scope, session_id: "s", messages: [{ role: "user", content: "I love window seats.", timestamp: at }],
}));
const items = (await v2.post("/v2/atomic/search", { ...scope, query: "window seats", limit: 1 })).items;
tell("v2 search", items);
tell("v2 query", await v2.post("/v2/atomic/query", scope));
tell("v2 update", await v2.post("/v2/atomic/update", { ...scope, id: items[0].id, content: "I love aisle seats." }));
tell("v2 delete", await v2.post("/v2/atomic/delete", { ...scope, ids: [items[0].id] }));
tell("v2 bad limit", await failure(() => v2.post("/v2/atomic/search", { ...scope, query: "x", limit: 0 })));
tell("v2 wrong key", await failure(() => new HttpTransport({ ...config, apiKey: "wrong" }).post("/v2/atomic/query")));
