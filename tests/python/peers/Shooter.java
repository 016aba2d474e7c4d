import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** An AIBirds agent in Java, from docs/aibirds.md alone: every shot at 30 degrees, every report 0.25.
 *  java Shooter.java PORT */
class Shooter {
  public static void main(String[] arguments) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", Integer.parseInt(arguments[0]))) {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      out.write(1);  // configure
      out.writeInt(7);
      out.write(1);
      in.readNBytes(3);
      while (true) {
        out.write(12);
        int state = in.readUnsignedByte();
        if (state == 13) break;                // the evaluation is over
        if (state == 11) {                     // a new trial
          out.write(68);
          in.readNBytes(4 * 4 + 3);
        } else if (state == 5) {               // playing
          out.write(32);
          for (int field : new int[] {100000, 3000, 0, 0}) out.writeInt(field);  // the longest pull
          if (in.readUnsignedByte() != 1) throw new IOException("the shot was refused");
        } else if (state == 12) {              // a report is wanted
          byte[] words = "as usual".getBytes(StandardCharsets.UTF_8);
          out.write(66);
          out.writeFloat(0.25f);
          out.writeFloat(0.75f);
          out.writeInt(0);
          out.writeInt(0);
          out.writeInt(words.length);
          out.write(words);
          if (in.readUnsignedByte() != 1) throw new IOException("the report was refused");
        } else {                               // level selection, won, lost
          out.write(53);
          in.readInt();
        }
      }
    }
  }
}
