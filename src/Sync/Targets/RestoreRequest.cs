using System.Buffers.Binary;
using RedisLatency.Redis.Rdb;
using RedisLatency.Redis.Resp;
using RedisLatency.Sync.Commands;
using RedisLatency.Sync.Lanes;
using RedisLatency.Sync.Pipeline;
using RedisLatency.Sync.Servers;

namespace RedisLatency.Sync.Targets;

/// <summary>
/// Writes RESTORE for a target of some version: the time to live absolute where it may be, either the idle time or the
/// frequency, and the version that the target accepts.
/// </summary>
/// <param name="target">What it knows.</param>
/// <param name="relativeTo">By which it counts what is left to live; null where the time is absolute.</param>
/// <param name="replaces">Whether a key that is there is replaced.</param>
internal sealed class RestoreRequest(RdbFormat target, ServerClock? relativeTo, bool replaces)
{
    private const int FooterLength = 10;
    private const int MostBeside = 256;

    // A value that is lent to the chunk of these requests is not copied.
    /// <returns>Where the key lies in what was written.</returns>
    public WordSpan Write(RespWriter writer, SyncBatch batch, in SyncEntry entry, LaneChunk? lentTo = null)
    {
        var key = batch.Word(entry, 0);
        var isAbsolute = relativeTo is null;
        var hasIdle = isAbsolute && entry.IdleSeconds >= 0;
        var hasFrequency = isAbsolute && !hasIdle && entry.Frequency >= 0;
        var isExpiring = entry.ExpiresAtMs > 0;
        var expiry = relativeTo is null || !isExpiring
            ? entry.ExpiresAtMs
            : Math.Max(1, entry.ExpiresAtMs - relativeTo.NowMs);
        // At once, or what follows a long text would double it.
        writer.GetSpan(key.Length + (lentTo is null ? entry.Length : 0) + MostBeside);
        writer.WriteArrayHeader(
            4 + (replaces ? 1 : 0) + (isAbsolute && isExpiring ? 1 : 0) + (hasIdle || hasFrequency ? 2 : 0));
        writer.WriteBulkString("RESTORE"u8);
        writer.WriteBulkString(key);
        var place = new WordSpan(writer.Length - key.Length - 2, key.Length);
        writer.WriteBulkString(expiry);
        if (lentTo is not null)
            Lend(lentTo, batch, entry);
        else if (batch.LongValueOf(entry) is { } value)
            DumpPayload.WriteBulkString(writer, value.Type, value.Bytes.Span, StampOf(value));
        else
            WritePayload(writer, batch.BytesOf(entry), target);

        if (replaces)
            writer.WriteBulkString("REPLACE"u8);
        if (isAbsolute && isExpiring)
            writer.WriteBulkString("ABSTTL"u8);
        if (hasIdle || hasFrequency)
        {
            writer.WriteBulkString(hasIdle ? "IDLETIME"u8 : "FREQ"u8);
            writer.WriteBulkString(hasIdle ? entry.IdleSeconds : entry.Frequency);
        }

        return place;
    }

    // The same, and what is there is replaced.
    public static byte[] Replacing(byte[] restore)
    {
        var frames = new CommandFrames();
        frames.TryRead(restore, out _);
        var request = new RespWriter();
        request.WriteArrayHeader(frames.Words.Length + 1);
        foreach (var word in frames.Words)
            request.WriteBulkString(restore.AsSpan(word.Start, word.Length));
        request.WriteBulkString("REPLACE"u8);
        return request.Written.ToArray();
    }

    // Whether a target of that format wants it with an older version.
    public static bool NeedsStamp(ReadOnlySpan<byte> payload, RdbFormat target) =>
        payload.Length > FooterLength && FormatOf(payload) is var format
        && format.StampFor(target, payload[0]) != format.Version;

    public static void WritePayload(RespWriter writer, ReadOnlySpan<byte> payload, RdbFormat target)
    {
        if (NeedsStamp(payload, target))
        {
            var stamp = FormatOf(payload).StampFor(target, payload[0]);
            DumpPayload.WriteBulkString(writer, payload[0], payload[1..^FooterLength], stamp);
            return;
        }

        writer.WriteBulkString(payload);
    }

    private void Lend(LaneChunk chunk, SyncBatch batch, in SyncEntry entry)
    {
        var writer = chunk.Requests;
        writer.WriteHeader(RespType.BulkString, entry.Length);
        if (batch.LongValueOf(entry) is { } value)
        {
            writer.WriteRaw([value.Type]);
            chunk.Lend(value.Bytes);
            DumpPayload.WriteFooter(writer, [value.Type], value.Bytes.Span, StampOf(value));
        }
        else
        {
            var payload = batch.MemoryOf(entry);
            chunk.Lend(payload[..^FooterLength]);
            var format = FormatOf(payload.Span);
            var stamp = format.StampFor(target, payload.Span[0]);
            if (stamp == format.Version)
                writer.WriteRaw(payload.Span[^FooterLength..]);
            else
                DumpPayload.WriteFooter(writer, [], payload.Span[..^FooterLength], stamp);
        }

        writer.WriteRaw("\r\n"u8);
    }

    private int StampOf(StoredValue value) => RdbFormat.Of(value.Version).StampFor(target, value.Type);

    private static RdbFormat FormatOf(ReadOnlySpan<byte> payload) =>
        RdbFormat.Of(BinaryPrimitives.ReadUInt16LittleEndian(payload[^FooterLength..]));
}
