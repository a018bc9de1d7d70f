using System.Globalization;
using System.Text;
using RedisLatency.Fixtures;
using RedisLatency.Hosting.Running;
using RedisLatency.Replication.Probe;
using RedisLatency.Replication.Servers;

namespace RedisLatency.Replication.Tests.Probe;

/// <summary>
/// A replica that was promoted and is written to itself, while the reader still is there: nothing seen there counts,
/// and the key is found when it is replicated to the one that is read from then.
/// </summary>
public sealed class PromotedServerTests : IAsyncLifetime
{
    private const string Prefix = "p";
    private const ulong Session = 7;

    private readonly OneKey _key = new();
    private readonly SessionEvents _events = new();
    private readonly StopSignal _stop = new();
    private ReplicatedPair _pair = null!;
    private MovingPlace _place = null!;

    public async ValueTask InitializeAsync()
    {
        _pair = await ReplicatedPair.Start();
        ReplicatedPair.Execute(_pair.Replica, "REPLICAOF", "NO", "ONE");
        _place = new MovingPlace(_pair.Replica, _pair.Primary);
    }

    public async ValueTask DisposeAsync()
    {
        await _pair.DisposeAsync();
        _stop.Dispose();
    }

    [Fact]
    public async Task Polling_WithAMapThatIsTooOld_AsksForTheRole()
    {
        using var pipeline = Open();
        using var guard = new ReplicaGuard(pipeline, TimeSpan.FromMinutes(1));
        Write();
        var reader = new KeyReader(_key, Session, Prefix, new DelayOptions(), pipeline, _events, 1, guard);
        await ShouldFindItAtTheOther(reader);
        _events.All.ShouldContain(noted => noted.Text.Contains("is no replica any more", StringComparison.Ordinal));
    }

    private void Write()
    {
        var value = new byte[ProbeValue.Length];
        var key = new KeyNames(Prefix, Session).Of(0);
        ProbeValue.Write(value, key, Session, 0, 0, 0);
        ReplicatedPair.Execute(
            _pair.Replica, "SET", Encoding.ASCII.GetString(key), Encoding.ASCII.GetString(value));
    }

    private ReconnectingPipeline Open() => new(_place, TimeSpan.FromMinutes(1), _events, _stop);

    private async Task ShouldFindItAtTheOther(KeyReader reader)
    {
        var thread = new SessionThread("reader", reader.Run, () => { });
        await _place.WaitUntilMoved();
        await Eventually.Is(
            "the reader has gone to the other",
            () => thread.Join(TimeSpan.Zero) || _events.All.Any(noted => noted.Kind == "reconnected"));
        _key.FoundNs.ShouldBe(0, "it was found where it was written");
        var port = _pair.Replica.Port.ToString(CultureInfo.InvariantCulture);
        ReplicatedPair.Execute(_pair.Primary, "REPLICAOF", "127.0.0.1", port);

        thread.Join(TimeSpan.FromSeconds(60)).ShouldBeTrue();
        thread.ThrowIfFailed();
        _key.FoundNs.ShouldBeGreaterThan(0);
    }
}
