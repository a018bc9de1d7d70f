using System.Text;
using RedisLatency.Fixtures;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Replication.Probe;
using RedisLatency.Replication.Servers;

namespace RedisLatency.Replication.Tests.Probe;

/// <summary>What a server has to do for a reader, however many keys are on their way to it.</summary>
public class PollingLoadTests
{
    private const string Prefix = "p";
    private const ulong Session = 7;
    private const int Keys = 3_000;

    // 32 keys by their names, and as many answers; 512 of them, as polls had them once, are ten times that.
    private const long MostBytesOfALook = 3_000;

    // A second and a half; with all of them in every poll it was a hundred megabytes.
    private const long MostBytes = 8_000_000;

    [Fact]
    public async Task Run_OfManyKeysThatDoNotCome_AsksForFewAPoll()
    {
        await using var server = await Server();
        using var stop = new StopSignal();
        using var pipeline = Open(server, stop, out var events);
        var keys = new ManyKeys(Keys);
        var reader = new KeyReader(
            keys, Session, Prefix, new DelayOptions { Deadline = TimeSpan.FromMilliseconds(1_500) }, pipeline, events, 1);

        reader.Run();

        keys.Lost.Count.ShouldBe(Keys);
        reader.Polls.ShouldBeGreaterThan(0);
        (pipeline.Bytes / reader.Polls).ShouldBeLessThan(MostBytesOfALook);
        pipeline.Bytes.ShouldBeLessThan(MostBytes);
        events.All.ShouldContain(noted => noted.Kind == "link-stalled");
    }

    [Fact]
    public async Task Run_OfKeysThatComeInAnyOrder_FindsThoseThatAreThereAndNoOther()
    {
        await using var server = await Server();
        // A foreign replicator forgets every third, and the first hundred.
        static bool IsThere(long key) => key >= 100 && key % 3 != 0;
        using (var connection = RedisConnection.Open(RedisEndpoint.Parse(server.Uri), Patience.Connection))
        {
            var value = new byte[ProbeValue.Length];
            for (long key = Keys - 1; key >= 0; key--)
            {
                if (!IsThere(key))
                    continue;
                var name = new KeyNames(Prefix, Session).Of(key);
                ProbeValue.Write(value, name, Session, key, 1, 1);
                connection.Execute("SET", Encoding.ASCII.GetString(name), Encoding.ASCII.GetString(value));
            }
        }

        using var stop = new StopSignal();
        using var pipeline = Open(server, stop, out var events);
        var keys = new ManyKeys(Keys);

        new KeyReader(
            keys, Session, Prefix, new DelayOptions { Deadline = TimeSpan.FromMilliseconds(500) }, pipeline, events, 1).Run();

        keys.Read.Order().ShouldBe(Enumerable.Range(0, Keys).Select(key => (long)key).Where(IsThere));
        keys.Lost.Count.ShouldBe(Keys - keys.Read.Count);
    }

    private static Task<RedisServerProcess> Server() => RedisServerProcess.Start("redis-server");

    private static ReconnectingPipeline Open(RedisServerProcess server, StopSignal stop, out SessionEvents events)
    {
        events = new SessionEvents();
        return new ReconnectingPipeline(new MovingPlace(server, server), TimeSpan.FromMinutes(1), events, stop);
    }

    private sealed class ManyKeys(int count) : IKeyRegister
    {
        private long _next;

        public List<long> Read { get; } = [];

        public List<long> Lost { get; } = [];

        public bool HasEnded => _next == count;

        public bool TryAdmit(out PendingKey key)
        {
            var now = MonotonicClock.NowNs();
            key = new PendingKey(_next, now, now);
            return _next < count && _next++ >= 0;
        }

        public bool IsWithdrawn(long sequence) => false;

        public void Found(in PendingKey key, long intendedNs, long sentNs, long foundNs) => Read.Add(key.Sequence);

        public void Overwritten(in PendingKey key, long foundNs) => throw new InvalidOperationException("overwritten");

        public void Missing(in PendingKey key, long askedNs) => Lost.Add(key.Sequence);
    }
}
