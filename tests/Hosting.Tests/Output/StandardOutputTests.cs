using System.Text;
using RedisLatency.Hosting.Live;

namespace RedisLatency.Hosting.Output;

public sealed class StandardOutputTests
{
    [Fact]
    public void Text_IsUtf8WithoutMarkAndLinesEndWithLineFeed()
    {
        var stream = new MemoryStream();
        using (var output = new StandardOutput(stream))
        {
            output.WriteLine("45.3 µs → ✓");
            output.WriteLine(1234.5);
        }

        Encoding.UTF8.GetString(stream.ToArray()).ShouldBe("45.3 µs → ✓\n1234.5\n");
    }

    [Theory]
    [InlineData(2047)]
    [InlineData(2048)]
    [InlineData(8191)]
    [InlineData(100_001)]
    public void LongText_WithSurrogatesAcrossTheBuffer_ArrivesWhole(int length)
    {
        var text = new string('x', length) + string.Concat(Enumerable.Repeat("𝄞µ", 5000));
        var stream = new MemoryStream();
        using (var output = new StandardOutput(stream))
            output.Write(text);

        Encoding.UTF8.GetString(stream.ToArray()).ShouldBe(text);
    }

    [Fact]
    public void BrokenPipe_IsNoticedOnceAndPrintingStops()
    {
        var stream = new BreakingStream(writesUntilBroken: 1);
        using var output = new StandardOutput(stream);
        output.WriteLine("first");
        output.Flush();
        output.IsClosed.ShouldBeFalse();

        output.WriteLine("second");
        output.Flush();
        output.WriteLine("third");
        output.Flush();

        output.IsClosed.ShouldBeTrue();
        output.Failure!.Message.ShouldBe("Broken pipe");
        stream.Refused.ShouldBe(1);
        Encoding.UTF8.GetString(stream.ToArray()).ShouldBe("first\n");
    }

    // 28 is ENOSPC, 32 EPIPE.
    [Theory]
    [InlineData(28, true, 6)]
    [InlineData(28, false, 6)]
    [InlineData(32, true, 0)]
    [InlineData(32, false, 6)]
    public void WhatReachesNobody_EndsWith6_UnlessAReaderOfTextHadEnough(int error, bool isText, int exitCode)
    {
        using var output = new StandardOutput(new BreakingStream(0, error))
        {
            IsDocument = !isText,
            Folder = "results/1",
        };
        var said = new StringWriter();
        output.WriteLine("RESULT");

        output.End(0, said).ShouldBe(exitCode);

        said.ToString().ShouldBe(exitCode == 0
            ? ""
            : "Standard output: Broken pipe. What was printed is not whole. The results are in results/1."
                + Environment.NewLine);
    }

    [Fact]
    public void TextOfOthers_CannotDriveTheTerminal_NorBeginALine()
    {
        const string Evil = "v\e[2J7\r\n\u009b31mVERDICT  VALID\u202e\b\u007f\tend";
        const string Clean = "v\uFFFD[2J7\uFFFD\uFFFD\uFFFD31mVERDICT  VALID\uFFFD\uFFFD\uFFFD end";
        using var stream = new MemoryStream();
        using var output = new StandardOutput(stream);
        var diagnostics = new Diagnostics(stream);
        string? detoured = null;

        output.WriteLine(Evil);
        output.Write(Evil);
        output.WriteLine();
        output.Flush();
        diagnostics.WriteLine(Evil);
        diagnostics.Detour(line => detoured = line);
        diagnostics.WriteLine(Evil);

        Encoding.UTF8.GetString(stream.ToArray()).ShouldBe($"{Clean}\n{Clean}\n{Clean}\n");
        detoured.ShouldBe(Clean);
        new LiveDescription(Evil).Title.ShouldBe(Clean);
    }

    [Fact]
    public void Diagnostics_AfterTheReaderWentAway_StaySilent()
    {
        var stream = new BreakingStream(writesUntilBroken: 1);
        var diagnostics = new Diagnostics(stream);

        diagnostics.WriteLine("one");
        diagnostics.WriteLine("two");
        diagnostics.WriteLine("three");

        Encoding.UTF8.GetString(stream.ToArray()).ShouldBe("one\n");
        stream.Refused.ShouldBe(1);
    }

    [Fact]
    public void Diagnostics_OfAVeryLongLine_KeepAllOfIt()
    {
        var stream = new MemoryStream();
        var line = string.Concat(Enumerable.Repeat("µ123456789", 2000));

        new Diagnostics(stream).WriteLine(line);

        Encoding.UTF8.GetString(stream.ToArray()).ShouldBe(line + "\n");
    }
}
