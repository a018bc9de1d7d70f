using System.Text;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running;

namespace RedisLatency.Hosting.Live;

public sealed class RichViewTests
{
    private const string HideCursor = "\e[?25l";
    private const string ShowCursor = "\e[?25h";

    [Fact]
    public void End_LeavesTheLastFrameAndShowsTheCursor()
    {
        using var stop = new StopSignal();
        var terminal = new MemoryStream();
        using (var view = Open(terminal, new Diagnostics(Stream.Null), stop, hasColor: true))
            view.Show(Snapshots.OpenLoop);

        var text = Encoding.UTF8.GetString(terminal.ToArray());
        text.ShouldContain(HideCursor);
        text.LastIndexOf(ShowCursor, StringComparison.Ordinal)
            .ShouldBeGreaterThan(text.LastIndexOf("rtt, phase", StringComparison.Ordinal));
    }

    [Fact]
    public void End_BeforeAnythingWasShown_LeavesNoFrame()
    {
        using var stop = new StopSignal();
        var terminal = new MemoryStream();
        using (Open(terminal, new Diagnostics(Stream.Null), stop, hasColor: false))
        {
            // A phase that ends within its first second.
        }

        var text = Encoding.UTF8.GetString(terminal.ToArray());
        text.ShouldContain(ShowCursor);
        text.ShouldNotContain("title");
    }

    [Fact]
    public void LogLines_AreShownByTheViewAndAfterwardsOnStandardError()
    {
        using var stop = new StopSignal();
        var terminal = new MemoryStream();
        var errors = new MemoryStream();
        var diagnostics = new Diagnostics(errors);
        using (var view = Open(terminal, diagnostics, stop, hasColor: false))
        {
            diagnostics.WriteLine("while it draws");
            view.Show(Snapshots.OpenLoop);
        }

        diagnostics.WriteLine("afterwards");

        // It covers what stood there.
        Encoding.UTF8.GetString(terminal.ToArray()).ShouldContain("while it draws".PadRight(40));
        Encoding.UTF8.GetString(errors.ToArray()).ShouldBe("afterwards\n");
    }

    [Fact]
    public void NoColor_WritesNoColour()
    {
        using var stop = new StopSignal();
        var terminal = new MemoryStream();
        using (var view = Open(terminal, new Diagnostics(Stream.Null), stop, hasColor: false))
            view.Show(Snapshots.OpenLoop);

        Encoding.UTF8.GetString(terminal.ToArray()).ShouldNotMatch("\e\\[[0-9;]*3[0-9]m");
    }

    [Fact]
    public void SecondSignal_ShowsTheCursorBeforeTheProcessEnds()
    {
        using var stop = new StopSignal();
        var terminal = new MemoryStream();
        using var view = Open(terminal, new Diagnostics(Stream.Null), stop, hasColor: false);

        stop.AnnounceEnd();

        Encoding.UTF8.GetString(terminal.ToArray()).ShouldContain(ShowCursor);
    }

    private static RichView Open(Stream stream, Diagnostics diagnostics, StopSignal stop, bool hasColor)
    {
        var terminal = new Terminal(IsInteractive: true, hasColor, Columns: 80, Rows: 24);
        var output = new TerminalOutput(new StandardOutput(stream), terminal);
        return new RichView(new LiveDescription("title"), output, hasColor, diagnostics, stop, new(isTerminal: false, diagnostics, stop));
    }
}
