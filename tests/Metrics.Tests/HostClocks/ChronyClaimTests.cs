using System.Buffers.Binary;
using System.Net;
using RedisLatency.Metrics.HostClocks;

namespace RedisLatency.Metrics.Tests.HostClocks;

public class ChronyClaimTests
{
    // What chronyd 4.3 answered a moment before chronyc -c printed: 7F000001,127.0.0.1,4,
    // 1795271237.391589318,-0.000001841,0.000000131,0.000000356,-0.047,0.003,0.339,0.000006259,0.000001245,1.0,Normal
    private const string Captured =
        "060200000021000500000000000000000102030400000000000000007f0000017f000001000000000000000000000000"
        + "0001000000040000000000006b01aa4517572dc6dd08d191d68c33cbd8bf0e49fb3ece2ef2dcaf1e00ad697ee0d20467"
        + "dca2eaf20481aef0";

    private const uint CapturedSequence = 0x01020304;

    private static readonly DateTimeOffset CapturedAt =
        DateTimeOffset.UnixEpoch.AddSeconds(1_795_271_238);

    // The daemon followed another of its own host, at whose port 127.0.0.1 its source was.
    private static readonly ChronyReply FollowsItsOwnHost =
        ChronyReply.Read(Convert.FromHexString(Captured), CapturedSequence)!;

    private static readonly ChronyReply Synchronised =
        FollowsItsOwnHost with { ReferenceId = 0xC0000201, Source = IPAddress.Parse("192.0.2.1") };

    [Fact]
    public void Read_OfWhatARealDaemonAnswered_IsWhatChronycPrinted()
    {
        FollowsItsOwnHost.ReferenceId.ShouldBe(0x7F000001u);
        FollowsItsOwnHost.Stratum.ShouldBe(4);
        FollowsItsOwnHost.LeapStatus.ShouldBe(0);
        FollowsItsOwnHost.ReferenceTime.ShouldBe(1_795_271_237.391589318, 1e-6);
        Math.Abs(FollowsItsOwnHost.CurrentCorrection).ShouldBe(0.000001841, 1e-9);
        FollowsItsOwnHost.RootDelay.ShouldBe(0.000006259, 1e-9);
        FollowsItsOwnHost.RootDispersion.ShouldBe(0.000001245, 4e-8);
        FollowsItsOwnHost.UpdateInterval.ShouldBe(1.0, 0.05);
    }

    [Theory]
    [InlineData("00000000", 0.0)]
    [InlineData("04800000", 1.0)]
    [InlineData("03000000", -1.0)]
    [InlineData("02800000", 0.5)]
    public void ReadFloat_OfItsOwnFormat_IsThatNumber(string hex, double value) =>
        ChronyReply.ReadFloat(Convert.FromHexString(hex)).ShouldBe(value);

    [Fact]
    public void Read_CutAtEveryByte_IsNothing()
    {
        var packet = Convert.FromHexString(Captured);

        for (var length = 0; length < packet.Length; length++)
            ChronyReply.Read(packet.AsSpan(0, length), CapturedSequence).ShouldBeNull();
    }

    [Fact]
    public void Judge_OfASynchronisedDaemon_IsOffsetAndDispersionAndHalfTheDelay()
    {
        var claim = Judge(Synchronised);

        claim.Refusal.ShouldBeNull();
        ((double)claim.ErrorNs).ShouldBe(1_841 + 1_214 + 3_130, 5);
        claim.Note.ShouldNotBeNull().ShouldContain("serves its own clock (local) is assumed");
    }

    [Fact]
    public void Judge_WithoutARootDelay_AcceptsAndSaysWhatIsMissing()
    {
        var claim = Judge(Synchronised with { RootDelay = 0 });

        claim.IsAccepted.ShouldBeTrue();
        claim.Note.ShouldNotBeNull().ShouldContain("reference clock");
    }

    [Fact]
    public void Judge_OfADaemonThatKnowsNoTime_IsRefused()
    {
        Judge(Synchronised with { LeapStatus = 3 }).Refusal.ShouldBe("chronyd is not synchronised");
        Judge(Synchronised with { Stratum = 0 }).Refusal.ShouldBe("chronyd is not synchronised");
        Judge(Synchronised with { ReferenceId = 0 }).Refusal.ShouldBe("chronyd is not synchronised");
        Judge(Synchronised with { ReferenceId = 0x7F7F0101 }).Refusal.ShouldNotBeNull().ShouldContain("local");
        FollowsItsOwnHost.Source.ShouldBe(IPAddress.Loopback);
        Judge(FollowsItsOwnHost).Refusal.ShouldNotBeNull().ShouldContain("own host");
        // An IPv6 address is a hash in the reference id, and whoever serves may give any.
        Judge(Synchronised with { Source = IPAddress.IPv6Loopback }).Refusal.ShouldNotBeNull().ShouldContain("own host");
        Judge(FollowsItsOwnHost with { ReferenceId = 0xC0000201 }).Refusal.ShouldNotBeNull();
        Judge(Synchronised with { UpdateInterval = -64 }).Refusal.ShouldNotBeNull().ShouldContain("every -64 s");
        Judge(Synchronised with { UpdateInterval = 1e15 }).Refusal.ShouldNotBeNull().ShouldContain("every 1e+15 s");
        Judge(Synchronised with { UpdateInterval = 131_072, ReferenceTime = Synchronised.ReferenceTime - 90_000 })
            .Refusal.ShouldNotBeNull().ShouldContain("a day");
        Judge(Synchronised with { Stratum = 8 }).Refusal.ShouldBeNull();
        Judge(Synchronised with { Stratum = 9 }).Refusal.ShouldNotBeNull().ShouldContain("stratum 9");
        Judge(Synchronised with { RootDispersion = 2 }).Refusal.ShouldNotBeNull().ShouldContain("too large to be a bound");
        Judge(Synchronised with { RootDispersion = double.NaN }).Refusal.ShouldNotBeNull();
    }

    [Theory]
    [InlineData(1, 500, true)]
    [InlineData(1, 520, false)]
    [InlineData(1_024, 8_000, true)]
    [InlineData(1_024, 8_200, false)]
    [InlineData(64, -600, false)]
    [InlineData(1_024, -1, false)]
    public void Judge_OfAReferenceTime_IsStaleAfterEightPollsAndNeverOfTheFuture(double interval, double age, bool isAccepted)
    {
        var reply = Synchronised with { UpdateInterval = interval };
        var now = DateTimeOffset.UnixEpoch.AddSeconds(reply.ReferenceTime + age);

        ChronyClaim.Judge(new ChronyAnswer(reply, null), 0, now).IsAccepted.ShouldBe(isAccepted);
    }

    [Fact]
    public void Ask_OfADaemonOnItsPort_TakesTheAnswerToItsOwnQuestion()
    {
        using var responder = new ChronyResponder(request => Answer(Convert.FromHexString(Captured), request));
        using var tracking = new ChronyTracking(responder.Port, "/nowhere");

        tracking.Ask().Reply.ShouldBe(FollowsItsOwnHost);
        tracking.Ask().Reply.ShouldBe(FollowsItsOwnHost);
    }

    [Fact]
    public void Ask_WhereSomethingElseAnswers_GivesUp()
    {
        using var responder = new ChronyResponder(_ => Convert.FromHexString(Captured));
        using var tracking = new ChronyTracking(responder.Port, "/nowhere");

        tracking.Ask().Failure.ShouldBe("chronyd gave no answer that can be read");
    }

    [Fact]
    public void Ask_WhereNobodyListens_SaysThatItIsNotRunning()
    {
        using var responder = new ChronyResponder(_ => null);
        using var tracking = new ChronyTracking(responder.Port, "/nowhere");
        responder.Close();

        tracking.Ask().Failure.ShouldNotBeNull().ShouldContain("chronyd is not running");
    }

    private static UtcClaim Judge(ChronyReply reply) =>
        ChronyClaim.Judge(new ChronyAnswer(reply, null), 0, CapturedAt);

    private static byte[] Answer(byte[] reply, byte[] request)
    {
        request.Length.ShouldBe(reply.Length);
        var sequence = BinaryPrimitives.ReadUInt32BigEndian(request.AsSpan(8));
        BinaryPrimitives.WriteUInt32BigEndian(reply.AsSpan(16), sequence);
        return reply;
    }
}
