using RedisLatency.Hosting.Running;
using RedisLatency.Lab.Links;
using RedisLatency.Server.Links;

namespace RedisLatency.Lab.Tests.Links;

public class LinkProfileReaderTests
{
    [Fact]
    public void Read_OfEveryField_HasThem()
    {
        using var file = new ScratchFile("""
            {
              // What a line may hold.
              "forward": {
                "delay": "14ms", "jitter": { "pareto": "2ms", "exponent": 2.5, "least": "-1ms", "most": "40ms" },
                "rate": "10MiB", "stalls": [{ "at": "10s", "for": "500ms" }], "cuts": [{ "at": "1m", "for": "2s" }],
                "loss": 0.01, "duplicate": 0.02, "reorder": 0.03, "reorderBy": "7ms",
              },
              "back": { "delay": "20ms", "jitter": "none" },
              "seed": 42
            }
            """);

        var profile = LinkProfileReader.Read(file.FullPath);

        var there = profile.Forward;
        there.Delay.ShouldBe(TimeSpan.FromMilliseconds(14));
        there.Jitter.ShouldBe(new Jitter(JitterShape.Pareto, TimeSpan.FromMilliseconds(2))
        {
            Exponent = 2.5,
            Least = TimeSpan.FromMilliseconds(-1),
            Most = TimeSpan.FromMilliseconds(40),
        });
        there.Stalls.ShouldBe([new LinkSpan(TimeSpan.FromSeconds(10), TimeSpan.FromMilliseconds(500))]);
        there.Cuts.ShouldBe([new LinkSpan(TimeSpan.FromMinutes(1), TimeSpan.FromSeconds(2))]);
        (there.Loss, there.Duplicate, there.Reorder).ShouldBe((0.01, 0.02, 0.03));
        there.ReorderBy.ShouldBe(TimeSpan.FromMilliseconds(7));
        there.Rate.ShouldBe(10 << 20);
        profile.Back.Delay.ShouldBe(TimeSpan.FromMilliseconds(20));
        profile.Back.Jitter.ShouldBeNull();
        profile.Seed.ShouldBe(42);
    }

    [Fact]
    public void Read_OfBoth_IsForEachWay()
    {
        var profile = LinkProfileReader.Read("""{"both":{"delay":"5ms"}}""");

        profile.Forward.Delay.ShouldBe(TimeSpan.FromMilliseconds(5));
        profile.Back.Delay.ShouldBe(TimeSpan.FromMilliseconds(5));
    }

    [Theory]
    [InlineData("""{"forward":{"dealy":"5ms"}}""", "forward.dealy: unknown field; did you mean delay?")]
    [InlineData("""{"forward":{"delay":"soon"}}""", "forward.delay soon:")]
    [InlineData("""{"forward":{"delay":"-5ms"}}""", "forward.delay -5ms:")]
    [InlineData("""{"forward":{"loss":1.5}}""", "forward.loss 1.5:")]
    [InlineData("""{"forward":5}""", "forward: an object is needed")]
    [InlineData(
        """{"forward":{"jitter":{}}}""", "forward.jitter: one of uniform, exponential, normal, pareto is needed")]
    [InlineData(
        """{"forward":{"jitter":{"uniform":"1ms","exponent":2}}}""", "forward.jitter.exponent: only pareto has one")]
    [InlineData(
        """{"forward":{"jitter":{"uniform":"1ms","least":"2ms","most":"1ms"}}}""",
        "forward.jitter.least: more than most")]
    [InlineData("""{"forward":{"stalls":{"at":"1s"}}}""", "forward.stalls: a list is needed")]
    [InlineData("""{"forward":{"stalls":[{"at":"1s"}]}}""", "forward.stalls[0].for: missing")]
    [InlineData("""{"both":{},"back":{}}""", "both: stands in the place of forward and back")]
    [InlineData("""{"seed":-1}""", "seed -1:")]
    [InlineData("""{"seed":1,"seed":2}""", "seed")]
    [InlineData("{", "--profile: ")]
    [InlineData("/no/such/file.json", "--profile /no/such/file.json: ")]
    public void Read_OfAMistake_SaysWhatAndWhere(string profile, string message) =>
        Should.Throw<ConfigurationException>(() => LinkProfileReader.Read(profile)).Message.ShouldContain(message);

    [Fact]
    public void Read_OfSeveralMistakes_TellsAllAtOnce()
    {
        var failure = Should.Throw<ConfigurationException>(
            () => LinkProfileReader.Read("""{"forward":{"delay":"soon","loss":2},"bakc":{}}"""));

        failure.Message.ShouldContain("forward.delay");
        failure.Message.ShouldContain("forward.loss");
        failure.Message.ShouldContain("did you mean back?");
    }
}
