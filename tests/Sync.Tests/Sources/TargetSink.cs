using System.Collections.Concurrent;
using System.Globalization;
using System.Text;
using RedisLatency.Fixtures;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Resp;
using RedisLatency.Sync.Pipeline;
using RedisLatency.Sync.Sources;

namespace RedisLatency.Sync.Tests.Sources;

/// <summary>Writes what a reader passes to a real server, entry by entry, and remembers it.</summary>
internal sealed class TargetSink : ISyncSink, IDisposable
{
    private readonly RedisPipeline? _target;
    private readonly RespWriter _request = new();
    private long _applied;

    public TargetSink(RedisServerProcess? target) => _target = target is null
        ? null
        : RedisPipeline.Open(RedisEndpoint.Parse(target.Uri), Patience.Connection);

    public ConcurrentQueue<string> Commands { get; } = new();

    public ConcurrentQueue<string> Notes { get; } = new();

    public HashSet<ValuePart> Parts { get; } = [];

    public List<int> Transactions { get; } = [];

    public long AppliedOffset => Volatile.Read(ref _applied);

    public void Pass(SyncBatch batch)
    {
        foreach (ref readonly var entry in batch.Entries)
        {
            Write(batch, entry);
            Commands.Enqueue(Text(batch, entry));
        }

        if (batch.Offset != SyncEntry.NoOffset)
            Volatile.Write(ref _applied, batch.Offset);
        batch.Clear();
    }

    public void AwaitApplied()
    {
    }

    public void Note(string kind, string text) => Notes.Enqueue($"{kind}: {text}");

    public void Skip(string reason, ReadOnlySpan<byte> key) => Notes.Enqueue($"skipped: {reason}");

    public void Fault(string text) => Notes.Enqueue($"fault: {text}");

    public void Dispose() => _target?.Dispose();

    private static string Text(SyncBatch batch, in SyncEntry entry)
    {
        if (entry.Kind == EntryKind.Restore)
            return $"RESTORE {Encoding.Latin1.GetString(batch.Word(entry, 0))}";
        var words = new List<string>();
        for (var i = 0; i < entry.Words; i++)
            words.Add(Encoding.Latin1.GetString(batch.Word(entry, i)));
        return string.Join(' ', words);
    }

    private void Write(SyncBatch batch, in SyncEntry entry)
    {
        Parts.Add(entry.Part);
        Transactions.Add(entry.Transaction);
        if (_target is null)
            return;
        _request.Clear();
        _request.WriteRequest("SELECT", entry.Database.ToString(CultureInfo.InvariantCulture));
        Send();
        if (entry.Kind == EntryKind.Command)
        {
            _request.WriteRaw(batch.BytesOf(entry));
        }
        else
        {
            _request.WriteArrayHeader(6);
            _request.WriteBulkString("RESTORE"u8);
            _request.WriteBulkString(batch.Word(entry, 0));
            _request.WriteBulkString(entry.ExpiresAtMs);
            _request.WriteBulkString(batch.BytesOf(entry));
            _request.WriteBulkString("REPLACE"u8);
            _request.WriteBulkString("ABSTTL"u8);
        }

        Send();
    }

    private void Send()
    {
        _target!.Send(_request.Written);
        RespCursor reply;
        while (!_target.TryTake(out reply))
            _target.Receive(TimestampSpan.FromNow(TimeSpan.FromSeconds(1)));
        reply.IsError.ShouldBeFalse(Encoding.UTF8.GetString(reply.Content));
        _request.Clear();
    }
}
