using System.ComponentModel;
using System.Runtime.InteropServices;

namespace RedisLatency.Metrics.Results;

/// <summary>
/// Makes a folder that was not there before, so that of two processes only one gets the name. The framework's own
/// method is content with a folder that is there already.
/// </summary>
internal static partial class ExclusiveFolder
{
    private const uint OwnerOnly = 0b111_000_000;
    private const int UnixExists = 17;
    private const int WindowsExists = 183;
    private const int WindowsErrorBase = unchecked((int)0x80070000);

    /// <summary>False where there is something of that name.</summary>
    /// <exception cref="IOException">It could not be made for another reason.</exception>
    public static bool TryCreate(string path)
    {
        var made = OperatingSystem.IsWindows() ? CreateDirectory(path, 0) : MakeDirectory(path, OwnerOnly) == 0;
        if (made)
            return true;
        var error = Marshal.GetLastPInvokeError();
        if (error == (OperatingSystem.IsWindows() ? WindowsExists : UnixExists))
            return false;
        var code = OperatingSystem.IsWindows() ? WindowsErrorBase | error : error;
        throw new IOException(new Win32Exception(error).Message, code);
    }

    [LibraryImport("libc", EntryPoint = "mkdir", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int MakeDirectory(string path, uint mode);

    [LibraryImport(
        "kernel32", EntryPoint = "CreateDirectoryW", SetLastError = true, StringMarshalling = StringMarshalling.Utf16)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool CreateDirectory(string path, nint securityAttributes);
}
