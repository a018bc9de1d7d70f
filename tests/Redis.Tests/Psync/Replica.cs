using System.Text;
using RedisLatency.Fixtures;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Psync;
using RedisLatency.Redis.Rdb;
using RedisLatency.Redis.Resp;
using RedisLatency.Redis.Tests.Rdb;

namespace RedisLatency.Redis.Tests.Psync;

/// <summary>A replica that remembers what it was sent, and is as far as the test says.</summary>
internal sealed class Replica : IDisposable
{
    private readonly RespRequestReader _requests = new();
    private long _applied;

    public Replica(string uri, ReplicationPosition? from = null, ReplicationOptions? options = null)
    {
        Link = ReplicationLink.Open(
            RedisEndpoint.Parse(uri), Patience.Connection, options ?? new(), from,
            () => new(Volatile.Read(ref _applied), IsAll: true));
        Offset = Link.Start.Position.Offset;
    }

    public ReplicationLink Link { get; }

    public List<string> DataSet { get; } = [];

    public List<string> Commands { get; } = [];

    public long Offset { get; private set; }

    public bool WasSized { get; private set; }

    public ReplicationPosition Position => new(Link.Start.Position.ReplicationId, Offset);

    public void Apply() => Volatile.Write(ref _applied, Offset);

    public Replica ReadDataSet()
    {
        using var data = Link.OpenDataSet(RedisTest.Cancellation);
        var reader = new RdbReader(data);
        while (reader.Read() is var record && record != RdbRecord.End)
        {
            if (record == RdbRecord.Key)
                DataSet.Add(string.Join(' ', RdbText.Commands(reader)[0]));
        }

        WasSized = data.Size is not null;
        Feed(data.Finish(reader.Unread));
        Apply();
        return this;
    }

    /// <summary>Reads until a command is one that is waited for.</summary>
    public Replica ReadUntil(string command)
    {
        while (!Commands.Contains(command))
            Receive();
        return this;
    }

    public void Receive()
    {
        var buffer = new byte[64 << 10];
        var deadline = TimestampSpan.FromNow(ServiceProcess.LimitAgainstHangs);
        var count = Link.Receive(buffer, deadline, RedisTest.Cancellation);
        count.ShouldBeGreaterThan(0);
        Feed(buffer.AsSpan(0, count));
    }

    public void Dispose() => Link.Dispose();

    private void Feed(ReadOnlySpan<byte> bytes)
    {
        Offset += bytes.Length;
        while (!bytes.IsEmpty)
        {
            var space = _requests.GetSpace();
            var count = Math.Min(space.Length, bytes.Length);
            bytes[..count].CopyTo(space);
            _requests.Advance(count);
            bytes = bytes[count..];
            while (_requests.TryRead())
                Add();
        }
    }

    private void Add()
    {
        var words = Enumerable.Range(0, _requests.Count).Select(i => Encoding.Latin1.GetString(_requests[i]));
        var command = string.Join(' ', words);
        if (command != "REPLCONF GETACK *" && !string.Equals(command, "ping", StringComparison.OrdinalIgnoreCase))
            Commands.Add(command);
    }
}
