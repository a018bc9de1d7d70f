using System.Buffers.Text;
using System.Text;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Sync.Scan;

// What a scan asks over its pipeline, one reply after the other.
internal static class ScanReplies
{
    public static void WriteOf(
        RespWriter requests, ReadOnlySpan<byte> command, ReadOnlySpan<byte> subcommand, byte[] key)
    {
        requests.WriteArrayHeader(subcommand.IsEmpty ? 2 : 3);
        requests.WriteBulkString(command);
        if (!subcommand.IsEmpty)
            requests.WriteBulkString(subcommand);
        requests.WriteBulkString(key);
    }

    public static long Number(ReadOnlySpan<byte> digits) =>
        Utf8Parser.TryParse(digits, out long number, out _) ? number : 0;

    public static void Ask(RedisPipeline pipeline, params ReadOnlySpan<string> words)
    {
        var request = new RespWriter();
        request.WriteRequest(words);
        pipeline.Send(request.Written);
        Require(pipeline, words[0]);
    }

    public static Dictionary<string, string> AskInfo(RedisPipeline pipeline, string section)
    {
        var request = new RespWriter();
        request.WriteRequest("INFO", section);
        pipeline.Send(request.Written);
        return ServerFacts.FieldsOf(Encoding.UTF8.GetString(Require(pipeline, "INFO").Content));
    }

    // Another where the server was started again, or another took its place.
    public static string AskProcess(RedisPipeline pipeline) =>
        AskInfo(pipeline, "server").GetValueOrDefault("run_id", string.Empty);

    // The next reply.
    public static RespCursor Require(RedisPipeline pipeline, string command)
    {
        var reply = pipeline.Await(command);
        if (!reply.IsError)
            return reply;
        var refusal = Encoding.UTF8.GetString(reply.Content);
        throw new RedisServerException(
            refusal,
            ErrorReply.KindOf(refusal).NamesServer || new RedisServerException(refusal).Code == "TRYAGAIN"
                ? $"Slots of the source move while it is scanned ({refusal}), or a replica took over, which a scan "
                    + "does not follow: begin again behind it; --on-existing rewrite replaces what is at the target "
                    + "already."
                : $"The source refused {command}: {refusal}");
    }

    public static ScanPage ReadPage(RedisPipeline pipeline)
    {
        var reply = Require(pipeline, "SCAN");
        reply.MoveNext();
        var cursor = Encoding.ASCII.GetString(reply.Content);
        reply.MoveNext();
        var keys = new byte[reply.Children][];
        for (var i = 0; i < keys.Length; i++)
        {
            reply.MoveNext();
            keys[i] = reply.Content.ToArray();
        }

        return new ScanPage(cursor, keys);
    }
}

internal sealed record ScanPage(string Cursor, byte[][] Keys);
