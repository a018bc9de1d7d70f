using RedisLatency.Lab.Worlds;
using RedisLatency.Metrics.Regimes;

namespace RedisLatency.Lab.Tests.Worlds;

public class ClockLogReaderTests
{
    private const string Window = """
        {"kind":"window","pair":0,"startNs":1,"endNs":11,"referenceNs":6,"isBounded":true,"offsetNs":-7,"errorNs":3,"errorAtStartNs":4,
        "errorAtReferenceNs":3,"errorAtEndNs":5,"skewPpm":-0.5,"skewLowPpm":-1.5,"driftPpm":100,"oscillatorPpm":50,
        "probeLowNs":-9,"probeHighNs":-5,"probes":12,"break":"step","stepNs":2,"stepErrorNs":1,"isProven":true,"isContradicted":false}
        """;

    [Fact]
    public void Read_OfAWindow_HasWhatWasWritten()
    {
        using var file = new ScratchFile(
            """{"kind":"pair","pair":0}""", Line(Window), Line(Window, "\"pair\":0", "\"pair\":1"));

        var window = ClockLogReader.Read(file.FullPath).ShouldHaveSingleItem();

        (window.StartNs, window.EndNs, window.ReferenceNs, window.OffsetNs).ShouldBe((1, 11, 6, -7));
        (window.ErrorAtStartNs, window.ErrorAtReferenceNs, window.ErrorAtEndNs).ShouldBe((4, 3, 5));
        (window.SkewPpm, window.SkewLowPpm, window.SkewHighPpm).ShouldBe((-0.5, -1.5, double.PositiveInfinity));
        (window.Break, window.StepNs, window.StepErrorNs, window.Probes).ShouldBe((OffsetBreak.Step, 2, 1, 12));
        (window.IsProven, window.IsContradicted).ShouldBe((true, false));
    }

    [Fact]
    public void Read_OfCrystalsThatProveWorse_WidensTheRatesBefore()
    {
        using var file = new ScratchFile(
            Line(Window), Line(Window, "\"oscillatorPpm\":50", "\"oscillatorPpm\":150"), Line(Window));

        ClockLogReader.Read(file.FullPath).Select(window => (window.SkewLowPpm, window.DriftPpm))
            .ShouldBe([(-201.5, 300), (-1.5, 100), (-201.5, 300)]);
    }

    [Theory]
    [InlineData("none", OffsetBreak.None)]
    [InlineData("start", OffsetBreak.Start)]
    [InlineData("rate-change", OffsetBreak.RateChange)]
    [InlineData("suspended", OffsetBreak.Suspended)]
    [InlineData("gap", OffsetBreak.Gap)]
    [InlineData("not-linear", OffsetBreak.NotLinear)]
    public void Read_OfABreak_KnowsIt(string name, OffsetBreak cause)
    {
        using var file = new ScratchFile(Line(Window, "\"step\"", $"\"{name}\""));

        ClockLogReader.Read(file.FullPath).Single().Break.ShouldBe(cause);
    }

    [Theory]
    [InlineData("\"step\"", "\"leap\"")]
    [InlineData("\"startNs\":1,", "")]
    [InlineData("\"offsetNs\":-7", "\"offsetNs\":\"-7\"")]
    [InlineData("\"kind\":\"window\",", "")]
    [InlineData("{", "")]
    public void Read_OfWhatIsNone_SaysWhere(string text, string instead)
    {
        using var file = new ScratchFile(Line(Window, text, instead));

        Should.Throw<InvalidDataException>(() => ClockLogReader.Read(file.FullPath))
            .Message.ShouldContain(file.FullPath);
    }

    private static string Line(string window, string text = " ", string instead = " ") =>
        window.ReplaceLineEndings(string.Empty).Replace(text, instead, StringComparison.Ordinal);
}
