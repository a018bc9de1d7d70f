using System.Text;
using RedisLatency.Fixtures;
using RedisLatency.Hosting.Running;
using RedisLatency.Replication.Nodes;
using RedisLatency.Replication.Probe;

namespace RedisLatency.Replication.Tests.Probe;

/// <summary>A reader whose clock is not compared well yet.</summary>
public class EarlyPushTests
{
    private const string Prefix = "p";
    private const ulong Session = 7;

    [Fact]
    public async Task Push_OfAKeyThatIsNotDueByTheReadersReckoning_CountsWhenItIs()
    {
        await using var pair = await ReplicatedPair.Start();
        using var stop = new StopSignal();
        var place = new MovingPlace(pair.Replica, pair.Primary);
        var key = new OneKey { IsHeldBack = true };
        using var pipeline = new LastingPipeline(place, TimeSpan.FromMinutes(1), new SessionEvents(), stop);
        using var polls = new KeyPolls(place, Prefix, Session, role: null);
        var subscription = new PushSubscription(
            ReadingKind.Tracking, KeyNames.Begin(Prefix, Session), Database: 0, Among: Prefix);
        var reader = new PushReader(key, subscription, dueOf: null, TimeSpan.FromMinutes(1), pipeline, polls);
        reader.Subscribe();
        var thread = new SessionThread("reader", reader.Run, () => { });
        var name = Encoding.ASCII.GetString(new KeyNames(Prefix, Session).Of(0));
        var value = new byte[ProbeValue.Length];
        ProbeValue.Write(value, Session, 0, 0, 0);

        ReplicatedPair.Execute(pair.Primary, "SET", name, Encoding.ASCII.GetString(value));
        await Eventually.Is("the key is there", () => ReplicatedPair.Execute(pair.Replica, "EXISTS", name) == "1");
        var before = key.Asked;
        await Eventually.Is("the reader has taken what was pushed", () => key.Asked > before + 2);
        key.IsHeldBack = false;

        thread.Join(TimeSpan.FromSeconds(60)).ShouldBeTrue();
        thread.ThrowIfFailed();
        key.FoundNs.ShouldBeGreaterThan(0);
        reader.Unpushed.ShouldBe(0);
    }
}
